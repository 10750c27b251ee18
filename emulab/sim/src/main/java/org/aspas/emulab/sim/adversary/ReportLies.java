package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;
import static org.aspas.emulab.sim.adversary.ServerRoles.provable;
import static org.aspas.emulab.sim.adversary.ServerRoles.server;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/** Appservers that lie about logs and state: in VERTOBFT and STABLE to the bftservers, and in heads to each other. */
final class ReportLies {
    private ReportLies() {}

    /** Adds these roles to the table of appservers. */
    static void roles() {
        server(
                "lying-reports",
                "reports too little or too much in VERTOBFT",
                context -> reports(
                        context, (first, report) -> context.chance().happens(0.5) ? first : high(context, report)));
        server(
                "high-reports-no-stable",
                "reports too much in VERTOBFT and never answers with STABLE",
                context -> reports(context, (first, report) -> high(context, report))
                        .on(Stable.class)
                        .drop());
        server(
                "low-reports",
                "reports in VERTOBFT what it reported first, for ever",
                context -> reports(context, (first, report) -> first));
        // Where a correct server is behind, the versions that enough servers report are then no causally closed one.
        server(
                "lopsided-reports",
                "reports in VERTOBFT its version without what is new of one other appserver",
                context -> reports(context, (first, report) -> {
                    int next = (context.self().index() + 1) % report.version().size();
                    long size = first.version().get(next);
                    return with(report, "version", report.version().with(next, size));
                }));
        provable(
                "wrong-stable",
                "answers the bftservers with wrong roots or a wrong state",
                context -> new Rules(context).on(Stable.class).replace(stable -> {
                    int what = context.chance().index(4);
                    return switch (what) {
                        case 0 -> with(stable, "state", context.anyHash());
                        case 1 -> with(stable, "roots", anotherRoot(context, stable.roots()));
                        case 2 -> with(stable, "closed", stable.version());
                        default -> with(stable, "closedRoots", anotherRoot(context, stable.closedRoots()));
                    };
                }));
        // As the closed version and its roots it says what it said to the first question, or it denies the log of an
        // origin of which the question has nothing new, by a log that ends before its first entry.
        server("low-stables", "answers the bftservers with STABLEs below what is certified", context -> {
            First<Stable> first = new First<>();
            return new Rules(context).on(Stable.class).replace(stable -> {
                Stable early = first.of(stable);
                if (stable.epoch().value() % 2 == 0) {
                    return with(stable, "closed", early.closed(), "closedRoots", early.closedRoots());
                }
                int origin = context.chance().index(stable.version().size());
                List<Hash> roots = anotherRoot(context, stable.roots(), origin);
                return with(stable, "roots", roots, "closed", stable.closed().with(origin, 0));
            });
        });
        // The state is right. Of one origin it names one entry fewer than its root is of, or, where the closure ends
        // before what is asked for, any root. Nothing in the STABLE itself shows it.
        server(
                "loose-closures",
                "answers the bftservers with a closed version whose roots are of another one",
                context -> new Rules(context).on(Stable.class).act(new LooseClosures(context)::answer));
        // To the first questions it says the truth first, and the lie is one STABLE too many; to one question, and
        // never
        // after, it lies first and wants to be believed what it says next.
        provable(
                "two-stables",
                "answers one question of the bftservers with two STABLEs that differ",
                context -> new Rules(context).on(Stable.class).act(new TwoStables(context)::answer));
        // Its entries are one log's, for every server that asks: only the two heads prove it.
        provable(
                "heads-of-nothing",
                "tells peers two heads of one size, one with a root that nothing opens",
                context -> {
                    int self = context.self().index();
                    return new Rules(context)
                            .on(Frontier.class)
                            .when(frontier -> frontier.heads().stream()
                                    .anyMatch(head -> head.message().origin() == self))
                            .sometimes(0.3)
                            .replace(frontier -> with(
                                    frontier,
                                    "heads",
                                    frontier.heads().stream()
                                            .map(head -> head.message().origin() != self
                                                    ? head
                                                    : context.sealer()
                                                            .seal(with(head.message(), "root", context.anyHash())))
                                            .toList()));
                });
    }

    // ---- Reports ----

    /** Reports something else, which follows from the first report and the one that is due. */
    private static Rules reports(AdversaryContext context, BinaryOperator<VertObft> lie) {
        First<VertObft> first = new First<>();
        return new Rules(context).on(VertObft.class).replace(report -> lie.apply(first.of(report), report));
    }

    /** The first of all. */
    private static final class First<M> {
        private @Nullable M first;

        M of(M next) {
            M known = first == null ? next : first;
            first = known;
            return known;
        }
    }

    private static VertObft high(AdversaryContext context, VertObft report) {
        int self = context.self().index();
        VersionVector version = report.version();
        List<Signed<Head>> heads = new ArrayList<>();
        for (Signed<Head> head : report.heads()) {
            if (head.message().origin() == self) {
                long size = head.message().size() + context.chance().between(1, 1_000);
                heads.add(context.sealer().seal(new Head(self, size, context.anyHash())));
                version = version.with(self, size);
            } else {
                heads.add(head);
            }
        }
        return new VertObft(self, version, heads);
    }

    /**
     * Reports, whatever its core holds, the largest log of each appserver that it heard of, but of the next appserver the first: where that
     * one is behind with its own reports, the versions that enough report are not causally closed.
     */
    static Rules repeated(AdversaryContext context) {
        RepeatedReports reports = new RepeatedReports(context);
        return new Rules(context)
                .on(VertObft.class)
                .when(report -> context.begun().getAsBoolean())
                .drop()
                .on(Message.class)
                .note(reports::note)
                .onHeard(Message.class, (message, heard) -> reports.note(message))
                .onTick(reports::report);
    }

    private static final class RepeatedReports {
        private static final long PAUSE = 200 * Timeline.MILLI;

        private final AdversaryContext context;
        private final TreeMap<Integer, Signed<Head>> largest = new TreeMap<>();
        private long reportedAt;

        RepeatedReports(AdversaryContext context) {
            this.context = context;
        }

        void note(Message message) {
            if (message instanceof Batch batch) {
                note(batch.head());
            } else if (message instanceof Frontier frontier) {
                frontier.heads().forEach(this::note);
            }
        }

        private void note(Signed<Head> head) {
            int origin = head.message().origin();
            int servers = context.quorums().appservers();
            if (origin >= 0 && origin < servers) {
                boolean hidden = origin == (context.self().index() + 1) % servers;
                largest.merge(
                        origin,
                        head,
                        (known, other) -> hidden
                                        || known.message().size()
                                                >= other.message().size()
                                ? known
                                : other);
            }
        }

        void report(ByzantineBehavior.Exit exit) {
            long now = context.now().getAsLong();
            if (now - reportedAt < PAUSE || largest.isEmpty()) {
                return;
            }
            reportedAt = now;
            VersionVector version = VersionVector.zero(context.quorums().appservers());
            for (Signed<Head> head : largest.values()) {
                version = version.with(head.message().origin(), head.message().size());
            }
            Frame report = context.frame(new VertObft(context.self().index(), version, List.copyOf(largest.values())));
            context.bftservers().forEach(to -> exit.node(to, report, 0));
        }
    }

    // ---- States ----

    private static List<Hash> anotherRoot(AdversaryContext context, List<Hash> roots) {
        return anotherRoot(context, roots, context.chance().index(roots.size()));
    }

    private static List<Hash> anotherRoot(AdversaryContext context, List<Hash> roots, int origin) {
        List<Hash> changed = new ArrayList<>(roots);
        changed.set(origin, context.anyHash());
        return changed;
    }

    private static final class LooseClosures {
        private final AdversaryContext context;
        private @Nullable Stable last;
        /** What the last STABLE before the present certificate named: no less than what is certified. */
        private @Nullable VersionVector certified;

        LooseClosures(AdversaryContext context) {
            this.context = context;
        }

        void answer(Stable right, Rules.Due due) {
            if (last != null && !last.previous().equals(right.previous())) {
                certified = last.closed();
            }
            last = right;
            VersionVector closed = right.closed();
            VersionVector known = certified == null ? VersionVector.zero(closed.size()) : certified;
            List<Integer> grown = new ArrayList<>();
            List<Integer> heldBack = new ArrayList<>();
            for (int origin = 0; origin < closed.size(); origin++) {
                long size = closed.get(origin);
                if (size > known.get(origin) + 1) {
                    grown.add(origin);
                }
                if (size > known.get(origin) && size < right.version().get(origin)) {
                    heldBack.add(origin);
                }
            }
            if (!heldBack.isEmpty()) {
                int origin = context.chance().pick(heldBack);
                due.send(with(right, "closedRoots", anotherRoot(context, right.closedRoots(), origin)));
            } else if (!grown.isEmpty()) {
                int origin = context.chance().pick(grown);
                due.send(with(right, "closed", closed.with(origin, closed.get(origin) - 1)));
            } else {
                due.pass();
            }
        }
    }

    private static final class TwoStables {
        private static final int MOST_TRUE = 3;
        /** In microseconds: longer than the order needs for a command. */
        private static final long LATER = 30 * Timeline.MILLI;

        private static final int TRIES = 100;

        private final AdversaryContext context;
        private final int lieAt;
        private int questions;
        private @Nullable Stable asked;
        private @Nullable Frame lie;

        TwoStables(AdversaryContext context) {
            this.context = context;
            this.lieAt = 1 + context.chance().index(MOST_TRUE + 1);
        }

        void answer(Stable stable, Rules.Due due) {
            boolean again = asked != null && asked.epoch().equals(stable.epoch()) && asked.round() == stable.round();
            Frame wrong = again && lie != null ? lie : otherState(stable, due.frame());
            questions += again ? 0 : 1;
            asked = stable;
            lie = wrong;
            boolean lies = questions == lieAt;
            if (questions <= lieAt) {
                due.exit().accept(lies ? wrong : due.frame(), 0);
                due.exit().accept(lies ? due.frame() : wrong, LATER);
            } else {
                due.pass();
            }
        }

        /** Another state, in a frame that the same bftserver puts into the order: so the two stay in their order. */
        private Frame otherState(Stable stable, Frame due) {
            Frame other = context.frame(with(stable, "state", context.anyHash()));
            for (int i = 0; i < TRIES && submitter(other) != submitter(due); i++) {
                other = context.frame(with(stable, "state", context.anyHash()));
            }
            return other;
        }

        private int submitter(Frame frame) {
            return Math.floorMod(
                    Hash.sha256(Codec.encode(frame)).hashCode(),
                    context.quorums().bftservers());
        }
    }

    // ---- Heads ----

}
