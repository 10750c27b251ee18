package org.aspas.certify.signer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Share;
import org.jspecify.annotations.Nullable;

/** What appservers may have missed, and when it is sent to them again. Not thread-safe. */
final class Reminders {
    /** The longest pause between two sendings of a share, in calls of {@link #askAgain}. */
    private static final int LONGEST_PAUSE = 64;

    private final List<byte[]> proofs = new ArrayList<>();
    private byte @Nullable [] question;
    /** The number that the question is for. */
    private CertificateNumber asked = CertificateNumber.NONE;
    /** How often what may be lost was sent again since the last share. */
    private long pauses;

    /** A question for the certificate with this number is open. */
    void asks(CertificateNumber number, byte[] frame) {
        asked = number;
        question = frame;
    }

    /** A certificate is signed; the question for it is open no more, nor any before. */
    void answered(CertificateNumber number) {
        if (!asked.isAfter(number)) {
            question = null;
        }
    }

    void convicts(byte[] proof) {
        proofs.add(proof);
    }

    /** A new share has left. */
    void signed() {
        pauses = 0;
    }

    /** Tells an appserver that has just connected what it may have missed. */
    void greet(List<Share> shares, Consumer<byte[]> toAppserver) {
        proofs.forEach(toAppserver);
        for (Share share : shares) {
            toAppserver.accept(Codec.encode(share));
        }
        byte[] open = question;
        if (open != null) {
            toAppserver.accept(open);
        }
    }

    /**
     * Sends once more what may have been lost: the newest share, and after it the open question, for whoever lost the shares
     * of the newest certificate cannot answer the question that follows it. Without an open question the share is sent after
     * pauses that double, up to {@value #LONGEST_PAUSE} calls: an appserver that lost it asks for nothing.
     */
    void askAgain(List<Share> shares, Consumer<byte[]> toAppservers) {
        byte[] open = question;
        pauses++;
        boolean due = pauses >= LONGEST_PAUSE ? pauses % LONGEST_PAUSE == 0 : Long.bitCount(pauses) == 1;
        if (!shares.isEmpty() && (open != null || due)) {
            toAppservers.accept(Codec.encode(shares.get(shares.size() - 1)));
        }
        if (open != null) {
            toAppservers.accept(open);
        }
    }
}
