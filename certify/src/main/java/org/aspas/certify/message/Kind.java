package org.aspas.certify.message;

import java.util.Optional;

/** The kinds of message with the number that opens each encoding. Numbers are never reused. */
public enum Kind {
    /** {@link Request}. */
    REQUEST(1),
    /** {@link OpenSession}. */
    OPEN_SESSION(2),
    /** {@link Response}. */
    RESPONSE(3),
    /** {@link Answer}. */
    ANSWER(4),
    /** {@link Refusal}. */
    REFUSAL(5),
    /** {@link Read}. */
    READ(6),
    /** {@link Hello}. */
    HELLO(7),
    /** {@link Confirmation}. */
    CONFIRMATION(8),
    /** {@link GetCertificate}. */
    GET_CERTIFICATE(9),
    /** {@link CertificateReply}. */
    CERTIFICATE_REPLY(10),
    /** {@link Head}. */
    HEAD(20),
    /** {@link Entry}. */
    ENTRY(21),
    /** {@link Batch}. */
    BATCH(22),
    /** {@link Frontier}. */
    FRONTIER(23),
    /** {@link Pull}. */
    PULL(24),
    /** {@link VertObft}. */
    VERTOBFT(30),
    /** {@link BftReqStable}. */
    BFTREQSTABLE(31),
    /** {@link Stable}. */
    STABLE(32),
    /** {@link Tick}. */
    TICK(33),
    /** {@link Accept}. */
    ACCEPT(34),
    /** {@link CertificateContent}. */
    CERTIFICATE_CONTENT(35),
    /** {@link Share}. */
    SHARE(36),
    /** {@link Certificate}. */
    CERTIFICATE(37);

    private final int number;

    Kind(int number) {
        this.number = number;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** The kind with this number, if there is one. */
    public static Optional<Kind> of(long number) {
        for (Kind kind : values()) {
            if (kind.number == number) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
