// The model's numbers, out of the text of this file: base64, gzip, a head of JSON, then arrays. `payload.py` writes them.

const MAGIC = "RUBPAGE1";
const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array };

function bytesOfBase64(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

// gzip carries a CRC-32, which the browser compares: a damaged file is noticed here
async function unzip(bytes) {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error("the model in this file is damaged; get the file again");
  }
}

// MAGIC, the size of the head in four bytes, the head, then arrays that begin at multiples of 8 bytes
class Payload {
  constructor(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset), start = MAGIC.length + 4;
    const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
    if (magic !== MAGIC) throw new Error("this file holds no model that this page can read");
    const end = start + view.getUint32(MAGIC.length, true);
    this.head = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)));
    this.arrays = bytes.subarray(Math.ceil(end / 8) * 8);
  }

  // The numbers of an array, whichever way they are written; null if there is none of that name.
  array(name) {
    const entry = this.head.arrays[name];
    if (!entry) return null;
    const [coding, start, size, different] = entry;
    const bytes = this.arrays.slice(start, start + size);
    switch (coding) {
      case "shuffled": return new Float64Array(unshuffle(bytes, 8).buffer);
      case "short": return Float64Array.from(new Float32Array(unshuffle(bytes, 4).buffer));
      case "dictionary": { // the different values, then a place among them for each number
        const values = new Float64Array(unshuffle(bytes.slice(0, 8 * different), 8).buffer);
        return Float64Array.from(new Uint16Array(bytes.slice(8 * different).buffer), (place) => values[place]);
      }
      default: return new ARRAYS[coding](bytes.buffer);
    }
  }
}

// All first bytes, then all second bytes, ... back to numbers: written so, they compress better.
function unshuffle(bytes, width) {
  const n = bytes.length / width, out = new Uint8Array(bytes.length);
  for (let b = 0; b < width; b++) for (let i = 0; i < n; i++) out[i * width + b] = bytes[b * n + i];
  return out;
}
