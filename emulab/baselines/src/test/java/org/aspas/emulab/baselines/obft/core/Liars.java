package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Clocks;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Enter;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Fetched;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Operations;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proposal;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Report;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Vote;
import org.jspecify.annotations.Nullable;

/** Faulty replicas: each keeps a correct replica's state and changes what it says. They have their own keys only. */
final class Liars {
    private Liars() {}

    private static ObftKeys keys(SimulatedGroup group, int liar) {
        return group.keys.get(liar);
    }

    private static @Nullable ObftMessage read(SimulatedGroup group, byte[] frame) {
        ObftCodec codec = new ObftCodec(group.settings.replicas(), group.settings.mostPerOrigin());
        return (frame[0] == ObftCodec.OPERATIONS ? codec.decode(frame) : codec.unsealed(frame))
                .accepted()
                .orElse(null);
    }

    private static SharedOperation sealed(SharedOperation bare, byte[] macs) {
        return new SharedOperation(
                bare.epoch(),
                bare.origin(),
                bare.dependencies(),
                bare.key(),
                bare.type(),
                bare.operation(),
                bare.body(),
                macs);
    }

    /** Gives replicas with an even number another operation under the same number than those with an odd one. */
    static SimulatedGroup.Liar equivocating(SimulatedGroup group) {
        return (to, frame) -> {
            if (!(read(group, frame) instanceof Operations several)
                    || to % 2 == 0
                    || group.random().nextInt(4) > 0) {
                return List.of(frame);
            }
            SharedOperation told = several.operations().get(0);
            SharedOperation other = other(told, 1000);
            byte[] macs = keys(group, told.origin()).vector(other.body());
            return List.of(ObftCodec.encode(new Operations(List.of(sealed(other, macs)))));
        };
    }

    private static SharedOperation other(SharedOperation told, int amount) {
        return ObftCodec.operation(
                told.epoch(),
                told.origin(),
                told.dependencies(),
                "liar-0",
                SimulatedGroup.COUNTER,
                Operation.of("increment", Value.of(amount)));
    }

    /** Equivocates, so that replicas have to fetch, and answers them with operations that nobody executed. */
    static SimulatedGroup.Liar misleading(SimulatedGroup group) {
        SimulatedGroup.Liar operations = equivocating(group);
        return (to, frame) -> {
            if (!(read(group, frame) instanceof Fetched fetched)) {
                return operations.instead(to, frame);
            }
            List<SharedOperation> invented =
                    fetched.operations().stream().map(told -> other(told, 7)).toList();
            Fetched answer = new Fetched(fetched.epoch(), fetched.origin(), fetched.after(), invented);
            int liar = liar(group);
            return List.of(keys(group, liar).seal(to, ObftCodec.encode(answer)));
        };
    }

    private static int liar(SimulatedGroup group) {
        return IntStream.range(0, group.settings.replicas())
                .filter(replica -> !group.correct().contains(replica))
                .findFirst()
                .orElseThrow();
    }

    /** Spoils the codes of all receivers but one in each operation. */
    static SimulatedGroup.Liar partlyAuthenticated(SimulatedGroup group) {
        return (to, frame) -> {
            if (!(read(group, frame) instanceof Operations several)) {
                return List.of(frame);
            }
            SharedOperation told = several.operations().get(0);
            byte[] macs = told.macs().clone();
            int spared = (int) (told.sequence() % group.settings.replicas());
            for (int at = 0; at < macs.length; at++) {
                macs[at] ^= (byte) (at / ObftKeys.MAC_BYTES == spared ? 0 : 1);
            }
            return List.of(ObftCodec.encode(new Operations(List.of(sealed(told, macs)))));
        };
    }

    /** Says that it has more, fewer and other operations than it has, and votes for what nobody proposes. */
    static SimulatedGroup.Liar misreporting(SimulatedGroup group) {
        return (to, frame) -> {
            ObftMessage message = read(group, frame);
            int liar = liar(group);
            ObftKeys keys = keys(group, liar);
            if (message instanceof Clocks clocks) {
                long[] counts = clocks.counts().toArray();
                counts[liar] += group.random().nextInt(3) * 10L;
                counts[to] = 0;
                return List.of(keys.seal(
                        to,
                        ObftCodec.encode(
                                new Clocks(clocks.epoch(), true, VersionVector.of(counts), Hash.sha256(new byte[1])))));
            } else if (message instanceof Enter enter) {
                List<List<Hash>> chains = new ArrayList<>(enter.report().chains());
                chains.set(to, List.of());
                chains.set(liar, Collections.nCopies(7, Hash.sha256(new byte[2])));
                Hash log = Hash.sha256(new ObftWriter().chains(chains).toBytes());
                byte[] text = new ObftWriter()
                        .kind(100)
                        .number(enter.epoch())
                        .hash(log)
                        .toBytes();
                Report report = new Report(liar, enter.epoch(), chains, keys.sign(text));
                return List.of(keys.seal(to, ObftCodec.encode(new Enter(enter.epoch(), enter.round(), report, null))));
            } else if (message instanceof Vote vote) {
                Hash other = Hash.sha256(new byte[3]);
                byte[] text = new ObftWriter()
                        .step(vote.step())
                        .number(vote.epoch())
                        .number(vote.round())
                        .hash(other)
                        .toBytes();
                return List.of(keys.seal(
                        to,
                        ObftCodec.encode(
                                new Vote(vote.epoch(), vote.round(), vote.step(), other, liar, keys.sign(text)))));
            }
            return List.of(frame);
        };
    }

    /**
     * Equivocates; and as a leader proposes logs that differ from replica to replica, or, every other time, too few to all but
     * one.
     */
    static SimulatedGroup.Liar contradictingLeader(SimulatedGroup group) {
        SimulatedGroup.Liar operations = equivocating(group);
        return (to, frame) -> {
            if (!(read(group, frame) instanceof Proposal proposal)
                    || proposal.reports().size() < group.settings.quorum()) {
                return operations.instead(to, frame);
            }
            List<Report> reports = new ArrayList<>(proposal.reports());
            if (proposal.epoch() / group.settings.replicas() % 2 == 0) {
                reports.remove(to % reports.size());
            } else if (to != group.correct().get(0)) {
                reports.subList(2, reports.size()).clear();
            }
            int liar = (int) ((proposal.epoch() + proposal.round()) % group.settings.replicas());
            return List.of(keys(group, liar)
                    .seal(to, ObftCodec.encode(new Proposal(proposal.epoch(), proposal.round(), reports, null))));
        };
    }

    /** Spoils a byte of most frames, or cuts them short. */
    static SimulatedGroup.Liar garbling(SimulatedGroup group) {
        return (to, frame) -> {
            byte[] garbled = frame.clone();
            garbled[group.random().nextInt(garbled.length)] ^=
                    (byte) group.random().nextInt(1, 256);
            return group.random().nextInt(3) == 0
                    ? List.of(frame)
                    : List.of(garbled, Arrays.copyOf(frame, group.random().nextInt(frame.length)));
        };
    }
}
