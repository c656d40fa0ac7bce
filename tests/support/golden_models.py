"""Golden cases of the count models: 000 sec. 4.3 and 5, 002 sec. 1-2, 003 sec. 2."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit, gammaln, xlogy

import rubricate as rb
from golden_cases import Case, covers
from rubricate import models
from rubricate.counts.term_scores import idf
from rubricate.models.from_counts import dcm, dirichlet, edcm
from rubricate.models.from_counts.bernoulli import presence
from rubricate.models.from_counts.evidence import Evidence
from rubricate.models.from_counts.prtfidf import label_given_word
from rubricate.models.from_counts.tfidf import idf_prime, prototypes
from rubricate.scoring.length_dependent import Alpha, Beta


def new(case: Case) -> np.ndarray:
    """Test documents over the columns of the case."""
    return case.corpus.X_test[:, case.columns]


def margin(scores: np.ndarray) -> np.ndarray:
    """By how much the best label wins."""
    best = np.sort(scores, axis=1)
    return best[:, -1] - best[:, -2]


def lambdas(evidence: Evidence, weights: np.ndarray) -> np.ndarray:
    """lambda of each class: the length of the prototype over the number of words.                    [000 eq. 24]"""
    table = prototypes(evidence, weights)
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return lengths / np.asarray(evidence.occurrences.sum(axis=1)).ravel()


def summary(values: np.ndarray) -> dict[str, float]:
    return {
        "mean": values.mean(),
        "sd_population": values.std(),
        "sd_sample": values.std(ddof=1),
        "min": values.min(),
        "max": values.max(),
    }


@covers("joachims_stats")
def joachims_stats(case: Case) -> None:
    if "tokens" in case.input:
        row = rb.tabulate([" ".join(case.input["tokens"])], terms=case.input["words"]).X
        case.check("tf", row.toarray()[0])
        return
    corpus, columns = case.corpus, case.columns
    # a document in several classes is copied once a class (readings 000.12)
    rows = [n for n, own in enumerate(corpus.labels) for _ in own]
    y = np.array([label for own in corpus.labels for label in own])
    whole = Evidence(rb.Counts.from_matrix(corpus.X[rows], y))
    chosen = Evidence(rb.Counts.from_matrix(corpus.X[rows][:, columns], y))
    n = whole.n_documents
    case.check("n_docs", n)
    case.check("class_sizes", whole.documents)
    case.check("tf_class", whole.occurrences.toarray())
    df = whole.all_documents_with
    case.check("df", df)
    case.check("idf", np.where(df > 0, idf(whole.counts), np.nan))
    case.check("prior", models.Multinomial().fit(corpus.X[rows], y).prior_)
    prime = idf_prime(chosen.occurrences, n)
    df_prime = np.where(prime > 0, n / np.where(prime > 0, prime, 1) ** 2, 0.0)
    case.check("df_prime_over_features", df_prime)
    case.check("df_prime_exact_over_features", df_prime)
    over_all = np.full(corpus.X.shape[1], np.nan)
    over_all[columns] = np.where(prime > 0, prime, np.nan)
    case.check("idf_prime", over_all)
    for key, weights in (("lambda_idf", idf(chosen.counts)), ("lambda_idf_prime", prime)):
        values = lambdas(chosen, weights)
        case.check(key, values)
        case.check(f"{key}_stats", summary(values))


@covers("joachims_tfidf")
def joachims_tfidf(case: Case) -> None:
    model = models.TFIDF().fit(case.X, case.corpus.y)
    scores = model.class_scores(new(case))
    evidence = Evidence(case.counts())
    case.check("prototypes", prototypes(evidence, model.idf_).toarray())
    case.check("cosine", scores)
    norms = np.sqrt(((new(case) * model.idf_) ** 2).sum(axis=1, keepdims=True))
    case.check("score_eq9", scores * norms)
    case.check("predicted", model.predict(new(case)))
    case.check("margin", margin(scores))


@covers("joachims_prtfidf")
def joachims_prtfidf(case: Case) -> None:
    model = models.PrTFIDF().fit(case.X, case.corpus.y)
    posterior = model.class_scores(new(case))
    table = label_given_word(Evidence(case.counts()).occurrences, model.prior_).toarray().T
    case.check("class_given_word", [row if row.sum() > 0 else None for row in table])
    case.check("posterior", posterior)
    case.check("posterior_exact", posterior)
    case.check("predicted", model.predict(new(case)))
    case.check("margin", margin(posterior))
    known, words = (new(case) * model.known_).sum(axis=1), new(case).sum(axis=1)
    share = np.where(words > 0, known / np.where(words > 0, words, 1), np.nan)
    literal = np.where(known[:, None] > 0, posterior, 0.0) * share[:, None]
    wanted = case.wanted("literal_eq23")
    for row, expected in zip(literal, wanted, strict=True):
        if expected is None:
            assert np.isnan(row).all()
        else:
            case.close(row, expected, where="literal_eq23")


@covers("joachims_bayes")
def joachims_bayes(case: Case) -> None:
    model = models.Multinomial().fit(case.X, case.corpus.y)
    scores = model.class_scores(new(case))
    case.check("word_given_class", word_probabilities(model))
    case.check("log_joint", scores)
    case.check("posterior", model.predict_proba(new(case)))
    case.check("posterior_exact", model.predict_proba(new(case)))
    case.check("predicted", model.predict(new(case)))
    case.check("margin", margin(scores))


def word_probabilities(model: Any) -> np.ndarray:
    """p(v|c), labels x terms: what a document of one word says, without the prior."""
    single = sparse.eye_array(model.n_features_in_).tocsr()
    return np.exp(model.scores_without_prior(single)).T


@covers("joachims_equivalence")
def joachims_equivalence(case: Case) -> None:
    columns = case.input["features"]
    X, y = np.array(case.input["train"])[:, columns], np.array(case.input["labels"])
    docs = np.array(case.input["docs"])[:, columns]
    evidence = Evidence(rb.Counts.from_matrix(X, y))
    prime = idf_prime(evidence.occurrences, evidence.n_documents)
    case.check("lambda_idf", lambdas(evidence, idf(evidence.counts)))
    case.check("lambda_idf_prime", lambdas(evidence, prime))
    posterior = models.PrTFIDF().fit(X, y).class_scores(docs)
    case.check("prtfidf_posterior", posterior)
    tfidf = models.TFIDF(idf="sqrt").fit(X, y).class_scores(docs)
    norms = np.sqrt(((docs * prime) ** 2).sum(axis=1, keepdims=True))
    case.check("tfidf_eq34", tfidf * norms)
    totals = np.asarray(evidence.occurrences.sum(axis=1)).ravel()
    eq33 = (docs * prime**2) @ (evidence.occurrences.toarray() / totals[:, None]).T
    case.check("eq33", eq33 / docs.sum(axis=1, keepdims=True) / evidence.n_documents)

    def ranking(scores: np.ndarray) -> list[list[int]]:
        return [np.argsort(-np.round(row, 12), kind="stable").tolist() for row in scores]

    same = [a == b for a, b in zip(ranking(posterior), ranking(tfidf * norms), strict=True)]
    case.check("same_ranking", same)
    case.check("all_same_ranking", all(same))
    case.check("same_argmax", [a[0] == b[0] for a, b in zip(ranking(posterior), ranking(tfidf * norms), strict=True)])


@covers("schneider_nb")
def schneider_nb(case: Case) -> None:
    if "p" in case.input:
        p, q = np.array(case.input["p"]), np.array(case.input["q"])
        with np.errstate(divide="ignore"):
            case.check("kl", xlogy(p, p).sum() - np.where(p > 0, p * np.log(q), 0.0).sum())
        return
    model = models.Multinomial().fit(case.X, case.corpus.y)
    scores = model.class_scores(new(case))
    case.check("prior", model.prior_)
    case.check("word_given_class", word_probabilities(model))
    case.check("log_joint", scores)
    case.check("predicted", model.predict(new(case)))
    case.check("margin", margin(scores))
    X = new(case).astype(float)
    words = X.sum(axis=1)
    p = X / np.where(words > 0, words, 1)[:, None]
    entropy = -xlogy(p, p).sum(axis=1)
    for key, found in (
        ("eq6", scores / np.where(words > 0, words, 1)[:, None]),
        ("eq7", -entropy[:, None] - scores / np.where(words > 0, words, 1)[:, None]),
    ):
        for row, n_words, wanted in zip(found, words, case.wanted(key), strict=True):
            assert (wanted is None) == (n_words == 0)
            if wanted is not None:
                case.close(row, wanted, where=key)


@covers("wilbur_mm_smm")
def wilbur_mm_smm(case: Case) -> None:
    X = new(case)
    for key, kind, gains in (
        ("mm", models.Multinomial, X),
        ("smm", models.SimplifiedMultinomial, (X > 0).astype(int)),
    ):
        model = kind(smoothing=case.input["eps"]).fit(case.X, case.corpus.y)
        factorials = gammaln(gains.sum(axis=1) + 1) - gammaln(gains + 1).sum(axis=1)
        scores = model.class_scores(X)
        found = {
            "word": word_probabilities(model),
            "loglik": model.scores_without_prior(X) + factorials[:, None],
            "posterior": model.predict_proba(X),
            "predicted": model.predict(X),
            "margin": margin(scores),
        }
        case.check(key, found)


@covers("wilbur_mbm")
def wilbur_mbm(case: Case) -> None:
    model = models.Bernoulli(smoothing=case.input["eps"]).fit(case.X, case.corpus.y)
    evidence = Evidence(case.counts())
    X, n = new(case), evidence.n_documents
    case.check("n_cv", evidence.documents_with.toarray())
    case.check("n_v", evidence.all_documents_with)
    case.check("f", evidence.documents / n)
    additive = presence(evidence, case.input["eps"])
    n_v = evidence.all_documents_with
    p = expit(additive.weights.toarray() + additive.common)
    p = np.where(n_v == 0, 0.0, np.where(n_v == n, 1.0, p))
    case.check("p_b", p)
    with np.errstate(divide="ignore", invalid="ignore"):
        present, absent = np.log(p), np.log1p(-p)
        literal = np.where(X[:, None, :] > 0, present[None], absent[None]).sum(axis=2)
    case.check("loglik_literal", literal)
    case.check("loglik", model.scores_without_prior(X))
    case.check("posterior", model.predict_proba(X))
    case.check("predicted", model.predict(X))
    case.check("margin", margin(model.class_scores(X)))


@covers("wilbur_stacked")
def wilbur_stacked(case: Case) -> None:
    limit, eps = case.input["f_limit"], case.input["eps"]
    model = models.StackedBernoulli(f_limit=limit, smoothing=eps).fit(case.X, case.corpus.y)
    evidence, X = Evidence(case.counts()), new(case)
    p = level_probabilities(evidence, limit, eps)
    case.check("level_prob", p)
    case.check("loglik_literal", literal_stack(p, X, limit))
    case.check("loglik", model.scores_without_prior(X))
    higher = models.StackedBernoulli(f_limit=limit, smoothing=eps, higher_only=True).fit(case.X, case.corpus.y)
    case.check("loglik_higher_levels", higher.class_scores(X))
    case.check("posterior", model.predict_proba(X))
    case.check("predicted", model.predict(X))
    case.check("margin", margin(model.class_scores(X)))


def level_probabilities(evidence: Evidence, limit: int, eps: float) -> np.ndarray:
    """p(tf >= k | tf >= k-1, c), labels x terms x levels, straight from eq. 28; 0 for 0/0.              [003 eq. 28]"""
    n_labels, n_terms, n = evidence.n_labels, evidence.n_terms, evidence.n_documents
    p = np.zeros((n_labels, n_terms, limit))
    share = (evidence.documents / n)[:, None]
    below, own_below = np.full(n_terms, n), np.repeat(evidence.documents[:, None], n_terms, axis=1)
    for k in range(1, limit + 1):
        levels = evidence.counts.levels(k).toarray().astype(np.float64)
        here, own_here = levels[-1], levels[:-1]
        top, bottom = eps * share * here + own_here, eps * share * below + own_below
        p[:, :, k - 1] = np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), 0.0)
        below, own_below = here, own_here
    return p


def literal_stack(p: np.ndarray, X: np.ndarray, limit: int) -> np.ndarray:
    """The log likelihood with all levels, also those that make it -inf.                               [003 eq. 29-30]"""
    out = np.zeros((len(X), len(p)))
    with np.errstate(divide="ignore"):
        yes, no = np.log(p), np.log1p(-p)
    for d, row in enumerate(X):
        for v, tf in enumerate(row.tolist()):
            reached = min(tf, limit)
            out[d] += yes[:, v, :reached].sum(axis=1)
            if reached < limit:
                out[d] += no[:, v, reached]
    return out


def documents_of(case: Case) -> tuple[Evidence, int, sparse.csr_array, sparse.csr_array]:
    """Evidence of all labels of a case, which of them it is about, that label's documents, and the test documents."""
    if "docs" in case.input:
        X = np.array(case.input["docs"])[:, case.input["vocabulary"]]
        return Evidence(rb.Counts.from_matrix(X, ["a"] * len(X))), 0, sparse.csr_array(X), sparse.csr_array(X)
    Y, label = case.corpus.indicator(case.corpus.labels), case.input["class"]
    own = sparse.csr_array(case.X[Y[:, label] > 0])
    return Evidence(rb.Counts.from_matrix(case.X, Y)), label, own, sparse.csr_array(new(case))


@covers("wilbur_edcm")
def wilbur_edcm(case: Case) -> None:
    evidence, label, X, X_test = documents_of(case)
    model, bare = edcm.fit(evidence), edcm.fit(evidence, unseen=0.0)
    case.check("status", model.status[label])
    case.check("s", model.maximum[label])
    case.check("beta", model.row(label))
    case.check("beta_smoothed", model.row(label) + model.unseen[label])
    case.check("s_smoothed", model.s_smoothed[label])
    if "train_loglik" in case.expected:
        case.check("train_loglik", dirichlet.log_likelihood(bare, X)[:, label].sum())
        case.check("test_loglik_smoothed", dirichlet.log_likelihood(model, X_test)[:, label])
        case.check("eq14_bracket_and_smm_smoothed", factors_of_eq_14(model, label, X_test))


def factors_of_eq_14(model: Beta, label: int, X: sparse.csr_array) -> np.ndarray:
    """The bracket, and the simplified multinomial's probability of eq. 6, as logarithms."""
    s, p = model.s_smoothed[label], (model.row(label) + model.unseen[label]) / model.s_smoothed[label]
    out = []
    for tf in X.toarray():
        there = tf > 0
        n, size = there.sum(), tf.sum()
        ratio = gammaln(size + 1) + gammaln(s) - gammaln(n + 1) - gammaln(s + size)
        bracket = ratio + (np.log(s) - np.log(tf[there])).sum()
        out.append([bracket, gammaln(n + 1) + np.log(p[there]).sum()])
    return np.array(out)


@covers("wilbur_dcm")
def wilbur_dcm(case: Case) -> None:
    evidence, label, X, X_test = documents_of(case)

    def likelihood(model: Alpha) -> float:
        return float(dirichlet.log_likelihood(model, X)[:, label].sum())

    start = dcm.fit(evidence, unseen=0.0, max_iter=0)
    case.check("start", start.row(label))
    case.check("start_loglik", likelihood(start))
    case.check("overdispersion", overdispersion(X.toarray()))
    updated = {n: dcm.fit(evidence, unseen=0.0, max_iter=int(n), tol=0.0) for n in case.expected["after"]}
    assert all(model.iterations[label] == int(n) for n, model in updated.items())
    case.check("after", {n: {"alpha": model.row(label), "loglik": likelihood(model)} for n, model in updated.items()})
    if case.wanted("status") != "converged":
        return
    # the converged numbers leave room for another stopping rule: 1e-6
    bare = dcm.fit(evidence, unseen=0.0, max_iter=100_000, tol=1e-12)
    model = dcm.fit(evidence, max_iter=100_000, tol=1e-12)
    assert model.converged[label]
    case.check("alpha", model.row(label), relative=1e-6)
    case.check("s", model.s[label], relative=1e-6)
    case.check("loglik", likelihood(bare), relative=1e-6)
    case.check("alpha_smoothed", model.row(label) + model.unseen[label], relative=1e-6)
    case.check("test_loglik_smoothed", dirichlet.log_likelihood(model, X_test)[:, label], relative=1e-6)


def overdispersion(X: np.ndarray) -> float:
    """The slope in 1/s of the log-likelihood where s is infinite, alpha/s being the shares of terms: a rise means a maximum."""
    p = X.sum(axis=0) / X.sum()
    there = p > 0
    sizes = X.sum(axis=1)
    return float((X * (X - 1))[:, there].sum(axis=0) @ (1 / p[there]) - (sizes * (sizes - 1)).sum()) / 2
