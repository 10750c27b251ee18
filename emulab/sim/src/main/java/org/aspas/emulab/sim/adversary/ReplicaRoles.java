package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;
import static org.aspas.emulab.sim.adversary.Rules.To.APPSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.BFTSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.ORDER;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.adversary.Roles.Proof;
import org.aspas.emulab.sim.adversary.Roles.Role;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.node.ReplicaBehavior;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/** The table of the roles of bftservers, and the rules of those that are not classes of their own. */
final class ReplicaRoles {
    private static final int REMEMBERED = 300;
    private static final long HIGHEST = Long.MAX_VALUE / 4;

    private static final Map<String, Role<ReplicaBehavior>> REPLICAS = new TreeMap<>();

    static {
        replica(
                "replica-silent",
                "says nothing and submits nothing",
                context -> new Rules(context).on(Message.class).drop());
        replica(
                "replica-wrong-shares",
                "signs another content than the accepted one",
                context -> new Rules(context).on(Share.class).replace(share -> wrong(context, share)));
        replica(
                "replica-false-accepts",
                "accepts contents that nobody decided",
                context -> new Rules(context).on(Accept.class).to(ORDER).replace(accept -> {
                    long attempt = accept.attempt() + context.chance().between(0, 1);
                    return with(accept, "attempt", attempt, "content", context.anyHash());
                }));
        replica(
                "replica-old-accepts",
                "keeps others' ACCEPTs, and shows them later as proofs: of what nobody else has a proof of, or of a"
                        + " higher attempt",
                AcceptCollector.OldAccepts::new);
        replica(
                "replica-hidden-proof",
                "hides a proof, helps one bftserver to sign another content, and then all others to the hidden one",
                AcceptCollector.HiddenProof::new);
        replica(
                "replica-high-claims",
                "says that its record holds the highest epoch and attempt that there are",
                context -> new Rules(context).on(Recover.class).replace(own -> {
                    Recover lie = with(own, "knowing", true, "epoch", new Epoch(HIGHEST));
                    return with(lie, "number", own.number().next(), "attempt", HIGHEST);
                }));
        replica(
                "replica-fuzzing-fields",
                "changes single fields of its own frames, and signs them again",
                FuzzingReplica::rules);
        replica(
                "replica-two-shares",
                "signs the accepted content and another one",
                context -> new Rules(context).on(Share.class).act((share, due) -> {
                    boolean lieFirst = context.chance().happens(0.5);
                    if (!lieFirst) {
                        due.pass();
                    }
                    due.send(wrong(context, share));
                    if (lieFirst) {
                        due.pass();
                    }
                }));
        replica("replica-ticks-ahead", "votes for ordered time far ahead, and often", context -> {
            int self = context.self().index();
            AtomicLong next = new AtomicLong(1);
            return new Rules(context)
                    .on(Tick.class)
                    .act((tick, due) -> {
                        next.set(tick.k());
                        for (int i = 0; i < 4; i++) {
                            due.send(new Tick(self, tick.k() + i));
                        }
                    })
                    .onStep(order -> order.send(
                            new Tick(self, next.get() + context.chance().between(1, 1_000))));
        });
        replica(
                "replica-false-questions",
                "asks appservers for other versions than its machine does",
                context -> new Rules(context).on(BftReqStable.class).replace(asked -> {
                    SeededRandom chance = context.chance();
                    int origin = chance.index(asked.version().size());
                    Epoch epoch = new Epoch(asked.epoch().value() + chance.between(0, 3));
                    long round = asked.round() + chance.between(0, 3);
                    CertificateNumber number =
                            new CertificateNumber(asked.number().value() + chance.between(0, 1));
                    long size = asked.version().get(origin) + chance.between(0, 50);
                    VersionVector version = asked.version().with(origin, size);
                    return with(asked, "epoch", epoch, "round", round, "number", number, "version", version);
                }));
        // Whenever another one has spoken of its record: in the place and the attempt of a content that others have
        // proven, with ACCEPTs that it signed in their names.
        replica("replica-false-records", "says that its record proves a content that nobody decided", context -> {
            FalseRecords records = new FalseRecords(context);
            return new Rules(context)
                    .on(Recover.class)
                    .act((own, due) -> {
                        records.own = own;
                        records.remember(own);
                        due.send(records.lie(own));
                    })
                    .onOrdered(records::ordered)
                    .onStep(records::step);
        });
        // A bftserver that believed it would leave each epoch before its question is answered.
        replica(
                "replica-rising-claims",
                "says all the time that its record holds a higher epoch than the one that runs",
                context -> {
                    RisingClaims claims = new RisingClaims();
                    return new Rules(context)
                            .on(BftReqStable.class)
                            .note(question -> claims.running = Epoch.max(claims.running, question.epoch()))
                            .on(Message.class)
                            .to(ORDER)
                            .act((command, due) -> {
                                claims.own = command instanceof Recover statement ? statement : claims.own;
                                claims.claim(due::send);
                                due.pass();
                            })
                            .onStep(order -> claims.claim(order::send));
                });
        replica(
                "replica-impersonating",
                "puts commands of other bftservers and of appservers into the order",
                context -> new Rules(context).on(Message.class).to(ORDER).act((command, due) -> {
                    due.pass();
                    others(context, command).forEach(due::send);
                }));
        // The others are to go different ways on words that come before the order.
        replica(
                "replica-early-words",
                "gives words to some bftservers only, others to others, COMMITs without proof, and some never to the"
                        + " order",
                context -> new Rules(context)
                        .on(Message.class)
                        .to(ORDER)
                        .act((command, due) -> {
                            if (!isWord(command) || context.chance().happens(0.5)) {
                                due.pass();
                            }
                            commit(context, command, due);
                        })
                        .on(Message.class)
                        .to(BFTSERVERS)
                        .act((word, due) -> {
                            switch (context.chance().index(6)) {
                                case 0 -> due.send(elsewhere(context, word));
                                case 1 -> due.bytes().accept(Noise.mutated(context, due.encoded()));
                                case 2 -> {
                                    // Nothing.
                                }
                                default -> due.pass();
                            }
                            commit(context, word, due);
                        }));
        replica("replica-noise", "puts old and broken commands into the order", context -> {
            List<byte[]> old = new ArrayList<>();
            return new Rules(context)
                    .on(Message.class)
                    .to(ORDER)
                    .act((command, due) -> {
                        due.pass();
                        context.chance().keep(old, due.encoded(), REMEMBERED);
                    })
                    .on(Message.class)
                    .to(APPSERVERS)
                    .sometimes(0.3)
                    .act((message, due) -> due.bytes().accept(Noise.mutated(context, due.encoded())))
                    .onStep(order -> {
                        if (!old.isEmpty()) {
                            byte[] again = context.chance().pick(old);
                            order.bytes().accept(context.chance().happens(0.5) ? again : Noise.mutated(context, again));
                        }
                    });
        });
    }

    private ReplicaRoles() {}

    private static void replica(String name, String line, Function<AdversaryContext, ReplicaBehavior> maker) {
        REPLICAS.put(name, new Role<>(name, line, Proof.UNCERTAIN, maker));
    }

    /** By name, in order. */
    static Map<String, Role<ReplicaBehavior>> all() {
        return REPLICAS;
    }

    /** The message in a frame; null when it is no frame. */
    static @Nullable Message message(Wire wire) {
        return wire.command().frame().map(Frame::message).orElse(null);
    }

    /** Whether it is one of the words by which bftservers certify. */
    static boolean isWord(@Nullable Message message) {
        return message instanceof Accept || message instanceof Commit;
    }

    /** The same content, but for another state, which follows from the right one. */
    private static CertificateContent otherState(CertificateContent content) {
        return with(content, "state", Hash.sha256(content.state().toBytes()));
    }

    // ---- Shares, votes and questions ----

    private static Share wrong(AdversaryContext context, Share share) {
        CertificateContent other = otherState(share.content().message());
        return with(share, "content", context.sealer().seal(other));
    }

    // ---- Records ----

    private static final class FalseRecords {
        private final AdversaryContext context;
        private @Nullable Recover own;
        private @Nullable ProvenContent proven;
        private boolean due;

        FalseRecords(AdversaryContext context) {
            this.context = context;
        }

        void remember(Recover statement) {
            ProvenContent one = statement.proven();
            if (one != null && (proven == null || !proven.number().isAfter(one.number()))) {
                proven = one;
            }
        }

        void ordered(Frame command) {
            if (command.message() instanceof Recover statement
                    && statement.replica() != context.self().index()) {
                remember(statement);
                due = true;
            }
        }

        void step(Rules.Order order) {
            if (due && own != null) {
                order.send(lie(own));
            }
            due = false;
        }

        Recover lie(Recover mine) {
            ProvenContent right = proven;
            return right == null
                    ? mine
                    : with(mine, "number", right.number(), "attempt", right.attempt(), "proven", forged(right));
        }

        private ProvenContent forged(ProvenContent right) {
            CertificateContent wrong = otherState(right.content());
            byte[] payload = Codec.encode(wrong);
            Hash hash = Hash.sha256(payload);
            List<Signed<Accept>> accepts = right.accepts().stream()
                    .map(accept -> context.sealer().seal(with(accept.message(), "content", hash)))
                    .toList();
            return new ProvenContent(wrong, payload, accepts);
        }
    }

    private static final class RisingClaims {
        private @Nullable Recover own;
        private Epoch running = Epoch.NONE;

        void claim(Consumer<Message> exit) {
            if (own != null) {
                exit.accept(with(own, "answers", Hash.ZERO, "epoch", running.next()));
            }
        }
    }

    // ---- Others' commands, early words, noise ----

    private static List<Message> others(AdversaryContext context, Message command) {
        int servers = context.quorums().appservers();
        List<Message> lies = new ArrayList<>();
        for (int replica = 0; replica < context.quorums().bftservers(); replica++) {
            if (command instanceof Tick tick) {
                lies.add(with(tick, "replica", replica));
            } else if (command instanceof Accept accept) {
                lies.add(with(accept, "replica", replica));
            }
        }
        for (int server = 0; server < servers; server++) {
            if (command instanceof Stable stable) {
                Hash state = Hash.sha256(stable.state().toBytes());
                lies.add(with(stable, "server", server, "state", state));
            } else if (command instanceof VertObft report && report.version().size() == servers) {
                lies.add(high(context, server, report));
            }
        }
        return lies;
    }

    private static VertObft high(AdversaryContext context, int server, VertObft report) {
        VersionVector version = report.version();
        List<Signed<Head>> heads = new ArrayList<>();
        for (int origin = 0; origin < version.size(); origin++) {
            long size = Math.min(version.get(origin), Long.MAX_VALUE - 1_000_000) + 1_000_000;
            version = version.with(origin, size);
            heads.add(context.sealer().seal(new Head(origin, size, Hash.ZERO)));
        }
        return new VertObft(server, version, heads);
    }

    private static void commit(AdversaryContext context, Message word, Rules.Due due) {
        if (word instanceof Accept accept && context.chance().happens(0.5)) {
            due.send(new Commit(accept.replica(), accept.number(), accept.attempt(), accept.content()));
        }
    }

    /** The same of another content, or of a later attempt. */
    private static Message elsewhere(AdversaryContext context, Message word) {
        boolean later = context.chance().between(0, 1) == 1;
        Hash other = context.anyHash();
        if (word instanceof Accept accept) {
            return later ? with(accept, "attempt", accept.attempt() + 1) : with(accept, "content", other);
        }
        Commit commit = (Commit) word;
        return later ? with(commit, "attempt", commit.attempt() + 1) : with(commit, "content", other);
    }
}
