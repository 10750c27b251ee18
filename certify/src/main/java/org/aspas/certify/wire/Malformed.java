package org.aspas.certify.wire;

/** Leaves a decoder half-way; caught at the edge of this package and never seen outside it. */
final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String reason) {
        super(reason, null, false, false);
    }
}
