package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/** Servers that say what is not so, under their own signature. */
final class Lying {
    private static final double USUAL = 0.3;

    private Lying() {}

    private static Hash anyHash(AdversaryContext power) {
        return Hash.of(power.chance().bytes(Hash.LENGTH));
    }

    /** Reports to the bftservers too little, too much, or each another thing; sends STABLE or not. */
    static ByzantineBehavior reports(AdversaryContext power, boolean stables) {
        return new ByzantineBehavior() {
            private @Nullable VertObft first;

            @Override
            public void toNode(int core, NodeId to, Frame frame, Exit exit) {
                if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof VertObft report) {
                    VertObft early = first == null ? report : first;
                    first = early;
                    boolean low = stables && power.chance().happens(0.5);
                    VertObft lie = low ? early : high(report);
                    exit.node(to, new Frame.Sealed(power.sealer().seal(lie)), 0);
                } else if (stables
                        || !(frame instanceof Frame.Sealed sealed
                                && sealed.signed().message() instanceof Stable)) {
                    exit.node(to, frame, 0);
                }
            }

            private VertObft high(VertObft report) {
                List<Signed<Head>> heads = new ArrayList<>();
                for (Signed<Head> head : report.heads()) {
                    boolean own = head.message().origin() == power.self().index();
                    heads.add(
                            own
                                    ? power.sealer()
                                            .seal(new Head(
                                                    head.message().origin(),
                                                    head.message().size()
                                                            + power.chance().between(1, 1_000),
                                                    anyHash(power)))
                                    : head);
                }
                VersionVector version = report.version();
                for (Signed<Head> head : heads) {
                    if (head.message().origin() == power.self().index()) {
                        version = version.with(
                                power.self().index(), head.message().size());
                    }
                }
                return new VertObft(power.self().index(), version, heads);
            }
        };
    }

    /**
     * Reports to the bftservers its version without what is new of the next appserver: where a correct server is behind,
     * the versions that enough report are then no causally closed one.
     */
    static ByzantineBehavior lopsidedReports(AdversaryContext power) {
        int self = power.self().index();
        return reports(power, (first, report) -> {
            int next = (self + 1) % report.version().size();
            return new VertObft(
                    self, report.version().with(next, first.version().get(next)), report.heads());
        });
    }

    /** Reports to the bftservers what it reported first, for ever. */
    static ByzantineBehavior lowReports(AdversaryContext power) {
        return reports(power, (first, report) -> first);
    }

    /** Reports something else to the bftservers, which follows from the first report and the one that is due. */
    private static ByzantineBehavior reports(AdversaryContext power, BinaryOperator<VertObft> lie) {
        return new ByzantineBehavior() {
            private @Nullable VertObft first;

            @Override
            public void toNode(int core, NodeId to, Frame frame, Exit exit) {
                if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof VertObft report) {
                    VertObft early = first == null ? report : first;
                    first = early;
                    exit.node(to, new Frame.Sealed(power.sealer().seal(lie.apply(early, report))), 0);
                } else {
                    exit.node(to, frame, 0);
                }
            }
        };
    }

    /** Answers the bftservers with wrong roots or a wrong state. */
    static ByzantineBehavior stables(AdversaryContext power) {
        return new ByzantineBehavior() {
            @Override
            public void toNode(int core, NodeId to, Frame frame, Exit exit) {
                if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Stable stable) {
                    exit.node(to, new Frame.Sealed(power.sealer().seal(wrong(stable))), 0);
                } else {
                    exit.node(to, frame, 0);
                }
            }

            private Stable wrong(Stable stable) {
                int what = power.chance().index(4);
                return new Stable(
                        stable.server(),
                        stable.epoch(),
                        stable.round(),
                        stable.previous(),
                        stable.version(),
                        what == 1 ? roots(stable.roots()) : stable.roots(),
                        what == 2 ? stable.version() : stable.closed(),
                        what == 3 ? roots(stable.closedRoots()) : stable.closedRoots(),
                        what == 0 ? anyHash(power) : stable.state());
            }

            private List<Hash> roots(List<Hash> roots) {
                List<Hash> changed = new ArrayList<>(roots);
                changed.set(power.chance().index(changed.size()), anyHash(power));
                return changed;
            }
        };
    }

    /** Gives clients the oldest certificate it has seen, again and again. */
    static ByzantineBehavior staleCertificates(AdversaryContext power) {
        return new ByzantineBehavior() {
            private final Answers answers = new Answers(power.sealer());
            private @Nullable Certificate oldest;

            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                if (message instanceof Answer answer) {
                    Certificate old = oldest == null ? answer.certificate() : oldest;
                    oldest = old;
                    if (old == null) {
                        exit.client(connection, answer);
                    } else {
                        Answer changed =
                                answers.changed(answer, Answers.edit(answer).certificate(old.number()));
                        exit.client(connection, answers.with(changed, old));
                    }
                } else if (!(message instanceof Confirmation)) {
                    exit.client(connection, message);
                }
            }
        };
    }

    /** Gives clients now the newest certificate and now an old one, each named under its signature. */
    static ByzantineBehavior certificatesGoingBack(AdversaryContext power) {
        return new ByzantineBehavior() {
            private final Answers answers = new Answers(power.sealer());
            private @Nullable Certificate oldest;

            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                if (!(message instanceof Answer answer)) {
                    exit.client(connection, message);
                    return;
                }
                Certificate old = oldest == null ? answer.certificate() : oldest;
                oldest = old;
                if (old != null
                        && answer.response().message().certificate().isAfter(old.number())
                        && power.chance().happens(0.5)) {
                    Answer lie = answers.changed(answer, Answers.edit(answer).naming(old));
                    exit.client(connection, answers.with(lie, old));
                } else {
                    exit.client(connection, answer);
                }
            }
        };
    }

    /** Gives clients forged certificates, and names them under its signature. */
    static ByzantineBehavior signedForgedCertificates(AdversaryContext power) {
        return new ByzantineBehavior() {
            private final Answers answers = new Answers(power.sealer());
            private final ForgedCertificates forged = new ForgedCertificates(power);

            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                if (message instanceof Answer answer && answer.certificate() != null) {
                    Certificate lie = forged.lie(answer.certificate());
                    exit.client(
                            connection,
                            answers.with(
                                    answers.changed(answer, Answers.edit(answer).naming(lie)), lie));
                } else {
                    exit.client(connection, message);
                }
            }
        };
    }

    /** Answers with wrong values three in ten times. */
    static ByzantineBehavior values(AdversaryContext power) {
        return values(power, USUAL);
    }

    /** Answers with wrong values, in a share of the answers. */
    static ByzantineBehavior values(AdversaryContext power, double share) {
        return answers(
                power,
                share,
                answer -> Answers.edit(answer)
                        .result(
                                answer.response().message().result() instanceof Value.Int number
                                        ? new Value.Int(
                                                number.value() + power.chance().between(1, 100))
                                        : Value.sequence(List.of(Value.of("never added")))));
    }

    /** Answers updates with the leaf of another entry. */
    static ByzantineBehavior leaves(AdversaryContext power) {
        return answers(
                power,
                USUAL,
                answer -> answer.response().message().leaf() == null
                        ? Answers.edit(answer)
                        : Answers.edit(answer).leaf(anyHash(power)));
    }

    private static ByzantineBehavior answers(
            AdversaryContext power, double share, java.util.function.Function<Answer, Answers.Edit> lie) {
        return new ByzantineBehavior() {
            private final Answers answers = new Answers(power.sealer());

            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                boolean lies = message instanceof Answer && power.chance().happens(share);
                exit.client(
                        connection,
                        lies && message instanceof Answer answer
                                ? answers.changed(answer, lie.apply(answer))
                                : message);
            }
        };
    }

    /** Answers updates and denies them right after. */
    static ByzantineBehavior denial(AdversaryContext power) {
        return new ByzantineBehavior() {
            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                exit.client(connection, message);
                if (message instanceof Answer answer && power.chance().happens(0.3)) {
                    long number = answer.response().message().reference();
                    Refusal.Reason reason = power.chance()
                            .pick(List.of(Refusal.Reason.BUSY, Refusal.Reason.BEHIND, Refusal.Reason.NO_SESSION));
                    exit.client(
                            connection,
                            new Refusal(
                                    answer.response().message().client(), number, false, reason, "it was never here"));
                }
            }
        };
    }
}
