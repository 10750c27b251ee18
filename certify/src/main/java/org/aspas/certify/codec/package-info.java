/**
 * The exact bytes of every message: deterministic CBOR (RFC 8949 §4.2: shortest integers, definite lengths) written and read with Jackson. Each message is an array that opens with the number of its {@link
 * org.aspas.certify.message.Kind}; a signed message is an array of two byte strings, payload and signature.
 *
 * <p>Decoders are total: any bytes give {@link org.aspas.certify.codec.Decoded.Accepted} or {@link
 * org.aspas.certify.codec.Decoded.Rejected} in time and memory proportional to their length. A text that decodes but would
 * be encoded otherwise is rejected, so that one meaning has one encoding. {@code docs/formats.md} is the same for a
 * reader without this code.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.codec;
