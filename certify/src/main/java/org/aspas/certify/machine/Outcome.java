package org.aspas.certify.machine;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** What a command makes a replica do, in the same order at every correct replica. */
public sealed interface Outcome {
    /** Ordered time stepped; the replica's next TICK is for {@code k + 1}. */
    record Ticked(long k) implements Outcome {}

    /**
     * The replica signs its copy of BFTREQSTABLE and sends it to all appservers. It may send it again while the question is
     * open.
     *
     * @param epoch rises with every certificate that is attempted; the replica makes it durable before it asks
     * @param round from 1 within an epoch
     * @param previous the hash of the newest content of the chain; {@code Hash.ZERO} before the first
     * @param number the number of the content that is sought
     * @param version LV, the goal
     * @param exclusions the blacklist that the content will have
     */
    record Ask(
            Epoch epoch,
            long round,
            Hash previous,
            CertificateNumber number,
            VersionVector version,
            List<CertificateContent.Exclusion> exclusions)
            implements Outcome {
        public Ask {
            exclusions = List.copyOf(exclusions);
        }

        /** The message for one replica to sign. */
        public BftReqStable message(int replica) {
            return new BftReqStable(replica, epoch, round, previous, number, version, exclusions);
        }
    }

    /**
     * Certification begins: at the first start of a deployment, and after every cold start.
     *
     * @param epoch all epochs from here on are higher, and ordered time is there now; the replica makes it durable before
     *     it asks anything
     */
    record Opened(Epoch epoch) implements Outcome {}

    /**
     * A replica said what its durable record holds.
     *
     * @param statement its signed words, all of them its claim: what they are said to prove was verified only if it was news
     *     to the machine
     */
    record Recovered(Recover statement) implements Outcome {}

    /**
     * A content is decided: the replica makes it durable and then submits its signed ACCEPT, again after a restart. One that
     * foresaw it has done so.
     *
     * @param payload its encoding, which is what gets signed; not to be changed
     * @param earlier the proof from an earlier attempt for which the content is decided again; absent for a new content
     */
    record Decided(
            CertificateContent content,
            byte[] payload,
            long attempt,
            @Nullable ProvenContent earlier) implements Outcome {
        /** The hash of the content, which ACCEPT names. */
        public Hash hash() {
            return Hash.sha256(payload);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Decided that
                    && attempt == that.attempt
                    && Arrays.equals(payload, that.payload)
                    && Objects.equals(earlier, that.earlier);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(payload);
        }
    }

    /**
     * An appserver is convicted: the replica hands the evidence to all appservers. The next certificate excludes it.
     */
    record Convicted(int server, Evidence evidence) implements Outcome {}

    /**
     * More than f appservers are convicted: nothing can be promised any more. Certification has stopped, and the operator
     * must be told.
     *
     * @param convicted all who are convicted, in order
     */
    record AssumptionBroken(List<Integer> convicted) implements Outcome {
        public AssumptionBroken {
            convicted = List.copyOf(convicted);
        }
    }

    /** 2b+1 replicas accepted the content: the replica makes the proof durable and then submits its signed COMMIT. */
    record Accepted(ProvenContent proven) implements Outcome {}

    /**
     * 2b+1 replicas committed to the content: the replica makes its share durable and pushes it to the appservers. Numbers
     * come in order, one content for each.
     */
    record ReadyToSign(ProvenContent proven) implements Outcome {
        public CertificateContent content() {
            return proven.content();
        }

        /** The encoding of the content, which is what gets signed; not to be changed. */
        public byte[] payload() {
            return proven.payload();
        }

        public CertificateNumber number() {
            return proven.number();
        }

        public Hash hash() {
            return proven.hash();
        }
    }
}
