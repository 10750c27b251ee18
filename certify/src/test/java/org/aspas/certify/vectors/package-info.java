/**
 * Writes and reads the test vectors in {@code docs/vectors}, which verifiers in other languages use too. A world of one deployment with fixed
 * keys makes them; {@code VectorFilesTest} keeps the files equal to it, and the other tests check what the files say from the files alone.
 */
@NullMarked
package org.aspas.certify.vectors;

import org.jspecify.annotations.NullMarked;
