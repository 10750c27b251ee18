package org.aspas.emulab.sim.adversary;

import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/** Servers that answer clients' questions about others with lies, under their own signature. */
final class LyingWitness {
    private LyingWitness() {}

    /** Calls right answers of others wrong and wrong ones right, or says that it cannot tell. */
    static ByzantineBehavior inspections(AdversaryContext power) {
        return witness(power, (message, wrong) -> {
            if (!(message instanceof InspectReply reply)) {
                return message;
            }
            InspectReply.Outcome other = reply.outcome() == InspectReply.Outcome.DIFFERS
                    ? InspectReply.Outcome.MATCH
                    : wrong.chance().happens(0.7)
                            ? InspectReply.Outcome.DIFFERS
                            : wrong.chance().pick(List.of(InspectReply.Outcome.values()));
            return new InspectReply(
                    reply.server(), reply.client(), reply.nonce(), reply.answer(), reply.roots(), other);
        });
    }

    /** Denies to hold what it holds, and names no certificate; calls every evidence false or good by chance. */
    static ByzantineBehavior standings(AdversaryContext power) {
        return witness(power, (message, wrong) -> {
            if (message instanceof Standing standing) {
                List<Standing.Held> none = standing.updates().stream()
                        .map(held -> new Standing.Held(held.number(), null))
                        .toList();
                return new Standing(standing.server(), standing.client(), standing.nonce(), null, none);
            }
            if (message instanceof Blacklist word) {
                return new Blacklist(
                        word.server(),
                        word.evidence(),
                        word.accused(),
                        wrong.chance().pick(List.of(Blacklist.Finding.values())));
            }
            return message;
        });
    }

    private interface Lie {
        Message of(Message message, AdversaryContext power);
    }

    private static ByzantineBehavior witness(AdversaryContext power, Lie lie) {
        return new ByzantineBehavior() {
            @Override
            public void toClientSigned(int core, ConnectionId connection, Signed<? extends Message> signed, Exit exit) {
                Message told = lie.of(signed.message(), power);
                exit.clientSigned(
                        connection,
                        told == signed.message() ? signed : power.sealer().seal(told));
            }
        };
    }
}
