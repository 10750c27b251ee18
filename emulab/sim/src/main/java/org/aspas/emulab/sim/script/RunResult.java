package org.aspas.emulab.sim.script;

import java.util.List;
import java.util.OptionalLong;
import org.aspas.certify.tag.SessionTags;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.invariant.Detection;
import org.aspas.emulab.sim.invariant.Violation;
import org.aspas.emulab.sim.node.Figures;
import org.jspecify.annotations.Nullable;

/**
 * What came out of one run.
 *
 * @param traceHash the hash of all that was delivered
 * @param faults what went wrong by plan
 * @param disturbed how many frames were lost, doubled or overtaken
 * @param misdoers how many Byzantine parties did something wrong
 * @param longestGapMicros the longest time without a new certificate before the newest one
 * @param micros how long it lasted in virtual time
 * @param settledMicros how long after the last fault all came to rest
 * @param certificates the highest certificate number of a correct appserver
 * @param coverage the fields that Byzantine parties changed and signed again
 * @param tags how correct appservers took requests of others' logs
 * @param tail the last events, when they were kept
 * @param load what the clients' load met, where work takes time; else null
 */
public record RunResult(
        Settings settings,
        String traceHash,
        List<Violation> violations,
        List<Fault> faults,
        long disturbed,
        List<Detection> detections,
        int misdoers,
        long longestGapMicros,
        long micros,
        long settledMicros,
        long events,
        long certificates,
        Figures figures,
        FieldCoverage coverage,
        Accounting accounting,
        Stores stores,
        Tags tags,
        List<String> tail,
        @Nullable LoadFigures load) {
    /**
     * What became of every update of a correct client: {@code updates = confirmed + reported + lost}.
     *
     * @param updates how many clients were given, but for those forgotten
     * @param confirmed how many are confirmed
     * @param reported how many were refused before anything was signed, and their clients told
     * @param lost how many are neither
     * @param forgotten how many more clients forgot in a crash before they signed them
     * @param entries how many entries the correct appservers hold at the end: more than updates and session records only where
     *     clients gave an update to a second server
     * @param probesCompleted how many questions for values correct appservers answered at the end
     * @param withoutRoles how many the same clients confirm in the same run without Byzantine parties; empty when that was
     *     not run
     */
    public record Accounting(
            long updates,
            long confirmed,
            long reported,
            long lost,
            long forgotten,
            long entries,
            long probesCompleted,
            OptionalLong withoutRoles) {}

    /**
     * How often a correct appserver asked whether the tag beside a request of another log convinces it.
     *
     * @param unknown how often no secret was known
     * @param absent how often there was none
     */
    public record Tags(long right, long wrong, long unknown, long absent) {
        public static final Tags NONE = new Tags(0, 0, 0, 0);

        static Tags of(SessionTags asked) {
            return new Tags(asked.right(), asked.wrong(), asked.unknown(), asked.absent());
        }

        public Tags with(Tags other) {
            return new Tags(right + other.right, wrong + other.wrong, unknown + other.unknown, absent + other.absent);
        }

        /** The share of requests with a right tag; 0 without requests. */
        public double share() {
            long all = right + wrong + unknown + absent;
            return all == 0 ? 0 : (double) right / all;
        }
    }

    /**
     * What became of the stores of appservers.
     *
     * @param forgetful how many came back with a lost or older disk, and count among the f
     * @param amnesiac how many of all knew of themselves that they had forgotten what they signed
     * @param snapshots how many snapshots were installed
     * @param sums how many sums of a journal were written
     * @param basesLost how often one started whose base was gone or damaged
     */
    public record Stores(long forgetful, long amnesiac, long snapshots, long sums, long basesLost) {
        public static final Stores NONE = new Stores(0, 0, 0, 0, 0);
    }

    /**
     * The same beside the run without Byzantine parties; that one itself if only it violates a guarantee.
     *
     * @param honest the same settings without roles
     */
    RunResult comparedWith(RunResult honest) {
        if (violations.isEmpty() && !honest.violations().isEmpty()) {
            return honest;
        }
        Accounting compared = new Accounting(
                accounting.updates(),
                accounting.confirmed(),
                accounting.reported(),
                accounting.lost(),
                accounting.forgotten(),
                accounting.entries(),
                accounting.probesCompleted(),
                OptionalLong.of(honest.accounting().confirmed()));
        return new RunResult(
                settings,
                traceHash,
                violations,
                faults,
                disturbed,
                detections,
                misdoers,
                longestGapMicros,
                micros,
                settledMicros,
                events,
                certificates,
                figures,
                coverage,
                compared,
                stores,
                tags,
                tail,
                load);
    }

    public RunResult {
        violations = List.copyOf(violations);
        faults = List.copyOf(faults);
        detections = List.copyOf(detections);
        tail = List.copyOf(tail);
    }
}
