"""Numbers from arrays: measures of decisions and rankings, tests of their differences, agreement of people."""
