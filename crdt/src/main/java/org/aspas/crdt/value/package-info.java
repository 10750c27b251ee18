/**
 * The values that operations carry and objects return, and the operations themselves.
 *
 * <p>A {@link org.aspas.crdt.value.Value} is a 64-bit integer, a text, a byte string or a sequence of
 * values. Values have one total order, used wherever a set has to be listed in a canonical way. An
 * {@link org.aspas.crdt.value.Operation} is an operation name with argument values: exactly what a pure
 * operation-based type sends (Baquero, Almeida and Shoker, arXiv:1710.04469, section 4).
 *
 * <p>All types are immutable and safe for use by several threads. Their encoding in bytes is defined elsewhere
 * (docs/formats.md).
 */
@NullMarked
package org.aspas.crdt.value;

import org.jspecify.annotations.NullMarked;
