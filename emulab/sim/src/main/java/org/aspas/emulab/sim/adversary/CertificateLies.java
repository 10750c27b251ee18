package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;
import static org.aspas.emulab.sim.adversary.Rules.To.APPSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.CLIENTS;
import static org.aspas.emulab.sim.adversary.ServerRoles.provable;
import static org.aspas.emulab.sim.adversary.ServerRoles.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Certificate.ReplicaSignature;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Share;
import org.aspas.crdt.clock.Dot;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/** Appservers that give old, forged or undersigned certificates, or conclude from genuine ones what does not follow. */
final class CertificateLies {
    private CertificateLies() {}

    /** Adds these roles to the table of appservers. */
    static void roles() {
        server(
                "withholding-certificates",
                "answers clients without certificates and confirms nothing",
                context -> new Rules(context)
                        .on(Answer.class)
                        .replace(answer -> with(
                                changed(context, answer, "certificate", CertificateNumber.NONE), "certificate", null))
                        .on(Confirmation.class)
                        .drop());
        server("stale-certificates", "gives clients one old certificate for ever", context -> {
            Oldest oldest = new Oldest();
            return new Rules(context)
                    .on(Answer.class)
                    .replace(answer -> {
                        Certificate old = oldest.of(answer);
                        return old == null
                                ? answer
                                : with(changed(context, answer, "certificate", old.number()), "certificate", old);
                    })
                    .on(Confirmation.class)
                    .drop();
        });
        provable(
                "certificates-going-back",
                "gives clients now the newest certificate and now an old one, each signed for",
                context -> {
                    Oldest oldest = new Oldest();
                    return new Rules(context).on(Answer.class).replace(answer -> {
                        Certificate old = oldest.of(answer);
                        if (old == null
                                || !answer.response().message().certificate().isAfter(old.number())
                                || !context.chance().happens(0.5)) {
                            return answer;
                        }
                        return naming(context, answer, old);
                    });
                });
        // To connections that began after that certificate, without naming a newer one: nothing but what the client has
        // seen before tells that the value is old.
        server(
                "stale-certified-reads",
                "answers certified reads by an older certificate, with its genuine proof",
                context -> {
                    StaleReads reads = new StaleReads(context);
                    return new Rules(context)
                            .onAsked(reads::asked)
                            .on(Message.class)
                            .to(CLIENTS)
                            .unsigned()
                            .act(reads::answer);
                });
        server(
                "forged-certificates",
                "gives clients and servers certificates that the bftservers never signed",
                context -> instead(context, genuine -> forged(context, genuine), false));
        provable(
                "signed-forged-certificates",
                "gives clients forged certificates and signs for them",
                context -> new Rules(context).on(Answer.class).replace(answer -> {
                    Certificate genuine = answer.certificate();
                    return genuine == null ? answer : naming(context, answer, forged(context, genuine));
                }));
        // Signatures of another content, if a bftserver signed one, and else some of those of the right one.
        server(
                "undersigned-certificates",
                "gives clients and servers certificates with too few signatures, all genuine",
                context -> {
                    HeardShares shares = new HeardShares();
                    return instead(context, genuine -> undersigned(context, genuine, shares), true)
                            .onHeard(Share.class, (share, heard) -> shares.add(share));
                });
        // By a genuine certificate that covers the dot, where it stands for another entry, and a proof of nothing.
        server(
                "false-confirmations",
                "as two-logs, and confirms what peers never saw by certificates of the other log",
                context -> {
                    FalseConfirmations lies = new FalseConfirmations(context);
                    return new Chain(List.of(
                            TwoHistories.clientsAgainstPeers(context),
                            new Rules(context)
                                    .on(Answer.class)
                                    .act(lies::answer)
                                    .onHeard(Share.class, (share, heard) -> lies.shares.add(share))
                                    .onTick(lies::confirm)));
                });
    }

    /** The answer with another response, which the server signs. */
    static Answer changed(AdversaryContext context, Answer answer, Object... changes) {
        return with(
                answer, "response", context.sealer().seal(with(answer.response().message(), changes)));
    }

    /** The answer with this certificate, which its response names, as a correct server's would. */
    private static Answer naming(AdversaryContext context, Answer answer, Certificate certificate) {
        Answer changed = changed(
                context,
                answer,
                "certificate",
                certificate.number(),
                "certificateDigest",
                Digests.certificate(certificate));
        return with(changed, "certificate", certificate);
    }

    // ---- Old ones ----

    /** The oldest certificate of a server's answers. */
    private static final class Oldest {
        private @Nullable Certificate oldest;

        @Nullable
        Certificate of(Answer answer) {
            oldest = oldest == null ? answer.certificate() : oldest;
            return oldest;
        }
    }

    private static final class StaleReads {
        private record Asked(ConnectionId connection, long nonce) {}

        private record Of(String key, String type) {}

        private final AdversaryContext context;
        private final Map<Asked, Of> asked = new HashMap<>();
        private final Map<Of, Answer> kept = new HashMap<>();
        private final Set<ConnectionId> early = new HashSet<>();
        private @Nullable Certificate old;

        StaleReads(AdversaryContext context) {
            this.context = context;
        }

        void asked(ConnectionId connection, Message message) {
            if (message instanceof Read read && read.certified()) {
                asked.put(new Asked(connection, read.nonce()), new Of(read.key(), read.type()));
            }
        }

        void answer(Message message, Rules.Due due) {
            Certificate stale = old;
            if (stale == null) {
                early.add(due.connection());
            }
            boolean late = !early.contains(due.connection());
            if (message instanceof Answer answer) {
                Of of = asked.remove(
                        new Asked(due.connection(), answer.response().message().reference()));
                if (of != null && answer.proof() != null) {
                    learn(of, answer);
                }
                if (late && stale != null) {
                    stale(answer, of, stale).ifPresent(due::send);
                    return;
                }
            }
            if (!late || !(message instanceof Confirmation)) {
                due.pass();
            }
        }

        private void learn(Of of, Answer answer) {
            Certificate certificate = answer.certificate();
            if (old == null) {
                old = certificate;
            }
            if (certificate != null && certificate.equals(old)) {
                kept.putIfAbsent(of, answer);
            }
        }

        private Optional<Answer> stale(Answer answer, @Nullable Of of, Certificate stale) {
            Answer before = of == null ? null : kept.get(of);
            if (before != null) {
                Answer lie = changed(
                        context,
                        naming(context, answer, stale),
                        "result",
                        before.response().message().result());
                return Optional.of(with(lie, "proof", before.proof()));
            }
            return of == null ? Optional.of(naming(context, answer, stale)) : Optional.empty();
        }
    }

    // ---- False ones ----

    private static Certificate forged(AdversaryContext context, Certificate genuine) {
        CertificateContent content = genuine.content();
        CertificateContent other = with(content, "state", context.anyHash());
        List<ReplicaSignature> signatures = genuine.signatures();
        return switch (context.chance().index(3)) {
            case 0 -> new Certificate(other, Codec.encode(other), signatures);
            case 1 -> new Certificate(content, genuine.payload(), signatures.subList(1, signatures.size()));
            default -> {
                byte[] own = context.sealer().seal(other).signature();
                yield new Certificate(
                        other,
                        Codec.encode(other),
                        signatures.stream()
                                .map(one -> new ReplicaSignature(one.replica(), own))
                                .toList());
            }
        };
    }

    private static Certificate undersigned(AdversaryContext context, Certificate genuine, HeardShares shares) {
        return shares.against(genuine.content()).orElseGet(() -> {
            int kept = 1 + context.chance().index(context.quorums().bftserverQuorum() - 1);
            return with(genuine, "signatures", genuine.signatures().subList(0, kept));
        });
    }

    /** Gives other certificates wherever a correct server gives genuine ones. */
    private static Rules instead(AdversaryContext context, UnaryOperator<Certificate> lie, boolean named) {
        return new Rules(context)
                .on(Answer.class)
                .replace(answer -> {
                    Certificate genuine = answer.certificate();
                    if (genuine == null) {
                        return answer;
                    }
                    Certificate other = lie.apply(genuine);
                    return named ? naming(context, answer, other) : with(answer, "certificate", other);
                })
                .on(Confirmation.class)
                .replace(told -> with(told, "certificate", lie.apply(told.certificate())))
                .on(CertificateReply.class)
                .to(APPSERVERS)
                .replace(reply -> {
                    Certificate genuine = reply.certificate();
                    return genuine == null ? reply : with(reply, "certificate", lie.apply(genuine));
                });
    }

    // ---- False conclusions ----

    private static final class FalseConfirmations {
        private static final int MOST_OPEN = 1_000;

        private record Open(ConnectionId connection, ClientId client, long number, Dot dot) {}

        private final AdversaryContext context;
        private final HeardShares shares = new HeardShares();
        private final List<Open> open = new ArrayList<>();

        FalseConfirmations(AdversaryContext context) {
            this.context = context;
        }

        void answer(Answer answer, Rules.Due due) {
            due.pass();
            Response response = answer.response().message();
            Dot dot = response.dot();
            if (open.size() < MOST_OPEN && dot != null && response.reference() != 0) {
                open.add(new Open(due.connection(), response.client(), response.reference(), dot));
            }
        }

        void confirm(ByzantineBehavior.Exit exit) {
            shares.newest(context.quorums().bftserverQuorum()).ifPresent(newest -> {
                long size = newest.content().version().get(context.self().index());
                Predicate<Open> covered = one -> one.dot().sequence() <= size;
                open.stream().filter(covered).forEach(one -> {
                    InclusionProof nothing = new InclusionProof(one.dot().sequence() - 1, size, List.of());
                    Confirmation.Covered lie = new Confirmation.Covered(one.number(), one.dot(), nothing);
                    exit.client(one.connection(), new Confirmation(one.client(), newest, List.of(lie)));
                });
                open.removeIf(covered);
            });
        }
    }

    /** The bftservers' signatures that an appserver was given, of the newest certificates. */
    private static final class HeardShares {
        private static final int REMEMBERED = 16;

        private final TreeMap<CertificateNumber, List<Share>> byNumber = new TreeMap<>();

        void add(Share share) {
            byNumber.computeIfAbsent(share.content().message().number(), any -> new ArrayList<>())
                    .add(share);
            if (byNumber.size() > REMEMBERED) {
                byNumber.pollFirstEntry();
            }
        }

        /** Another content than this one under its number, with every signature that was heard of it. */
        Optional<Certificate> against(CertificateContent genuine) {
            return byNumber.getOrDefault(genuine.number(), List.of()).stream()
                    .map(share -> share.content().message())
                    .filter(content -> !content.equals(genuine))
                    .findFirst()
                    .flatMap(content -> signed(content, 1));
        }

        /** The newest certificate of which at least so many signatures were heard. */
        Optional<Certificate> newest(int signatures) {
            return byNumber.descendingMap().values().stream()
                    .flatMap(List::stream)
                    .flatMap(share -> signed(share.content().message(), signatures).stream())
                    .findFirst();
        }

        private Optional<Certificate> signed(CertificateContent content, int least) {
            TreeMap<Integer, Share> signers = new TreeMap<>();
            byNumber.getOrDefault(content.number(), List.of()).stream()
                    .filter(share -> share.content().message().equals(content))
                    .forEach(share -> signers.putIfAbsent(share.replica(), share));
            if (signers.size() < least) {
                return Optional.empty();
            }
            List<ReplicaSignature> signatures = signers.values().stream()
                    .map(share -> new ReplicaSignature(
                            share.replica(), share.content().signature()))
                    .toList();
            byte[] payload = signers.firstEntry().getValue().content().payload();
            return Optional.of(new Certificate(content, payload, signatures));
        }
    }
}
