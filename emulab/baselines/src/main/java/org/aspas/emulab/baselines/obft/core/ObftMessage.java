package org.aspas.emulab.baselines.obft.core;

import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** What clients and replicas say to each other. Immutable, but for byte arrays, which nobody changes. */
sealed interface ObftMessage {
    /** The two votes of a round. */
    enum Step {
        /** The set is valid, and this voter has seen no better one. */
        PREPARE,
        /** 2f+1 replicas have prepared the set. */
        COMMIT
    }

    /**
     * A client's request.
     *
     * @param number its number, from 1
     * @param type the name of the object's datatype
     * @param operation the update; null to read the object
     */
    record Request(
            long client,
            long number,
            String key,
            String type,
            @Nullable Operation operation) implements ObftMessage {}

    /**
     * The answer to a request.
     *
     * @param value the value that was read; 0 for an update; null for a request that cannot be executed
     */
    record Answer(long number, @Nullable Value value) implements ObftMessage {}

    /** Operations of an epoch, each with its origin's authentication codes. */
    record Operations(List<SharedOperation> operations) implements ObftMessage {}

    /**
     * What a replica has executed.
     *
     * @param stopped whether it has stopped its clients to synchronise
     * @param counts how many operations of each origin it has, since the beginning
     * @param set the digest of its operations of this epoch
     */
    record Clocks(long epoch, boolean stopped, VersionVector counts, Hash set) implements ObftMessage {}

    /**
     * A replica's log of an epoch, signed.
     *
     * @param chains for each origin the hashes of its chain
     */
    record Report(int reporter, long epoch, List<List<Hash>> chains, byte[] signature) {}

    /**
     * The signatures of a quorum under one set.
     *
     * @param signatures by voter
     */
    record Proof(Step step, int round, AgreedSet set, Map<Integer, byte[]> signatures) {}

    /**
     * A replica enters a round of the agreement.
     *
     * @param round the round, from 0
     * @param lock the newest set that it knows to be prepared
     */
    record Enter(
            long epoch, int round, Report report, @Nullable Proof lock) implements ObftMessage {}

    /**
     * The leader of a round proposes a set: that of some logs, or the one that was prepared already.
     *
     * @param reports 2f+1 logs or more; none with a lock
     * @param lock the proof that the set was prepared
     */
    record Proposal(
            long epoch,
            int round,
            List<Report> reports,
            @Nullable Proof lock) implements ObftMessage {}

    /**
     * A vote in a round.
     *
     * @param set the digest of the set
     */
    record Vote(long epoch, int round, Step step, Hash set, int voter, byte[] signature) implements ObftMessage {}

    /** The end of an agreement, for whoever has missed it. */
    record Decided(Proof proof) implements ObftMessage {}

    /**
     * Asks for operations of the agreed set of an epoch.
     *
     * @param after how many of them, since the beginning, the asker has already
     */
    record Fetch(long epoch, int origin, long after) implements ObftMessage {}

    /**
     * Answers a {@link Fetch}.
     *
     * @param after after how many of them these begin
     * @param operations consecutive ones, without authentication codes; none if the answerer does not have them
     */
    record Fetched(long epoch, int origin, long after, List<SharedOperation> operations) implements ObftMessage {}
}
