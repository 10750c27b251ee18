package org.aspas.certify.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.certificate.ProvenContentVerifier;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;

/**
 * Whether a command may change the machine. What is cheap is asked first, signatures last, so that repeated and late
 * commands cost no verification. A word before its content costs one, and one more in each higher attempt. A RECOVER is
 * never late: its own signature is verified unless it is the replica's last one again, and what it proves only when that is
 * news.
 */
final class CommandCheck {
    private final Membership members;
    private final ProvenContentVerifier proofs;
    /** The last statement of each replica whose signature was right. Remembering changes no answer. */
    private final TreeMap<Integer, Signed<?>> stated = new TreeMap<>();

    CommandCheck(Membership members) {
        this.members = members;
        this.proofs = members.proofs();
    }

    Optional<Rejection> tick(MachineState state, Tick tick, Signed<?> signed) {
        if (!members.isBftserver(tick.replica())) {
            return Optional.of(Rejection.UNKNOWN_SIGNER);
        }
        if (!state.time().awaits(tick.replica(), tick.k())) {
            return Optional.of(Rejection.STALE);
        }
        return signature(members.byBftserver(tick.replica(), signed, Domain.TICK));
    }

    Optional<Rejection> accept(MachineState state, Accept accept, Signed<?> signed) {
        if (!members.isBftserver(accept.replica())) {
            return Optional.of(Rejection.UNKNOWN_SIGNER);
        }
        if (!accept.number().isAfter(state.history().number())) {
            return Optional.of(Rejection.STALE);
        }
        if (!state.ballots().awaits(accept, state.asked())) {
            return Optional.of(Rejection.NOT_ASKED);
        }
        return signature(members.byBftserver(accept.replica(), signed, Domain.ACCEPT));
    }

    Optional<Rejection> commit(MachineState state, Commit commit, Signed<?> signed) {
        if (!members.isBftserver(commit.replica())) {
            return Optional.of(Rejection.UNKNOWN_SIGNER);
        }
        if (!commit.number().isAfter(state.history().number())) {
            return Optional.of(Rejection.STALE);
        }
        if (!state.ballots().awaits(commit, state.asked())) {
            return Optional.of(Rejection.NOT_ASKED);
        }
        return signature(members.byBftserver(commit.replica(), signed, Domain.COMMIT));
    }

    Optional<Rejection> recover(MachineState state, Recover recover, Signed<?> signed) {
        if (!members.isBftserver(recover.replica())) {
            return Optional.of(Rejection.UNKNOWN_SIGNER);
        }
        Signed<?> last = stated.get(recover.replica());
        if (last == null || !last.equals(signed)) {
            if (!members.byBftserver(recover.replica(), signed, Domain.RECOVER)) {
                return Optional.of(Rejection.BAD_SIGNATURE);
            }
            stated.put(recover.replica(), signed);
        }
        ProvenContent proven = recover.proven();
        boolean wrong =
                proven != null && state.matters(proven) && proofs.wrong(proven).isPresent();
        return wrong ? Optional.of(Rejection.INCONSISTENT) : Optional.empty();
    }

    Optional<Rejection> stable(MachineState state, Stable stable, Signed<?> signed) {
        if (!members.isAppserver(stable.server())) {
            return Optional.of(Rejection.UNKNOWN_SIGNER);
        }
        if (state.convictions().convicted(stable.server())) {
            return Optional.of(Rejection.EXCLUDED);
        }
        Optional<Round> asked = state.awaiting(stable);
        if (asked.isEmpty()) {
            return Optional.of(Rejection.NOT_ASKED);
        }
        if (!state.consistent(asked.get(), stable)) {
            return Optional.of(Rejection.INCONSISTENT);
        }
        return signature(members.byAppserver(stable.server(), signed, Domain.STABLE));
    }

    Optional<Rejection> report(MachineState state, VertObft report, VersionVector claimed, Signed<?> signed) {
        if (state.convictions().convicted(report.server())) {
            return Optional.of(Rejection.EXCLUDED);
        }
        if (!state.reports().advances(report.server(), claimed)) {
            return Optional.of(Rejection.STALE);
        }
        return signature(members.byAppserver(report.server(), signed, Domain.VERTOBFT)
                && headsSigned(report, state.reports().highest()));
    }

    /**
     * The version that a report claims; empty when its heads are not in order of distinct known origins, or do not cover
     * it.
     */
    Optional<VersionVector> claimed(VertObft report) {
        long[] sizes = new long[members.appservers().size()];
        int next = 0;
        for (Signed<Head> head : report.heads()) {
            int origin = head.message().origin();
            if (origin < next || origin >= sizes.length || head.message().size() < 0) {
                return Optional.empty();
            }
            sizes[origin] = head.message().size();
            next = origin + 1;
        }
        boolean covered = report.version().size() == sizes.length
                && VersionVector.of(sizes).dominates(report.version());
        return covered ? Optional.of(report.version()) : Optional.empty();
    }

    /** Whether the head is signed for every claim beyond what was seen covered before. */
    private boolean headsSigned(VertObft report, VersionVector seen) {
        List<Signed<Head>> unseen = new ArrayList<>(report.heads());
        unseen.removeIf(head -> report.version().get(head.message().origin())
                <= seen.get(head.message().origin()));
        return unseen.stream()
                .allMatch(head -> members.byAppserver(head.message().origin(), head, Domain.HEAD));
    }

    private static Optional<Rejection> signature(boolean right) {
        return right ? Optional.empty() : Optional.of(Rejection.BAD_SIGNATURE);
    }
}
