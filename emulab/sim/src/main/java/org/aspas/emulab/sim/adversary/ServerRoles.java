package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;
import static org.aspas.emulab.sim.adversary.Rules.To.APPSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.BFTSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.CLIENTS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Blacklist.Finding;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.adversary.ForgedLog.TaggedForgeries;
import org.aspas.emulab.sim.adversary.Roles.Proof;
import org.aspas.emulab.sim.adversary.Roles.Role;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/** The table of the roles of appservers, and the rules of those that withhold, delay, or lie in answers. */
final class ServerRoles {
    /** The usual share of answers that are falsified. */
    private static final double USUAL = 0.3;

    /** The pause between two accusations, in microseconds. */
    private static final long ACCUSING = 100 * Timeline.MILLI;

    static final String WRONG_VALUES = "wrong-values";
    static final String FORGED_SNAPSHOTS = "forged-snapshots";
    static final String BODYGUARD = "bodyguard";

    private static final Map<String, Role<ByzantineBehavior>> SERVERS = new TreeMap<>();

    static {
        server(
                "silent",
                "sends no server anything any more",
                context -> new Rules(context)
                        .on(Message.class)
                        .to(APPSERVERS, BFTSERVERS)
                        .drop());
        server(
                "silent-to-peers",
                "acknowledges clients' updates and gives them to no other appserver",
                context -> new Rules(context).on(Message.class).to(APPSERVERS).drop());
        server(
                "mute",
                "answers no client after the greeting",
                context -> new Rules(context)
                        .on(Answer.class)
                        .drop()
                        .on(Confirmation.class)
                        .drop());
        server(
                "delaying",
                "sends servers everything, half of it seconds late and out of order",
                context -> new Rules(context)
                        .on(Message.class)
                        .to(APPSERVERS, BFTSERVERS)
                        .sometimes(0.5)
                        .delay(() -> context.chance().between(1, 4 * Timeline.SECOND)));
        // Its own verdict it takes to the bftservers as often as there should be different ones.
        server("false-accusing", "accuses correct servers and clients with proofs that prove nothing", context -> {
            FalseEvidence lies = new FalseEvidence(context);
            return new Rules(context)
                    .on(Answer.class)
                    .note(answer -> lies.certificate(answer.certificate()))
                    .on(Confirmation.class)
                    .note(told -> lies.certificate(told.certificate()))
                    .onHeard(Batch.class, (batch, heard) -> lies.batch(batch))
                    .onHeard(CertificateReply.class, (reply, heard) -> lies.certificate(reply.certificate()))
                    .onHeard(WrongState.class, (proof, heard) -> lies.wrongState(proof))
                    .onAsked((connection, message) -> {
                        if (message instanceof Inspect inspect) {
                            lies.answer(inspect.response(), inspect.question());
                        }
                    })
                    .onTick(ACCUSING, exit -> lies.any().ifPresent(evidence -> accuse(context, evidence, exit)));
        });
        provable(WRONG_VALUES, "answers three in ten with a wrong value", context -> wrongValues(context, USUAL));
        server(
                "shared-places",
                "enters no update of some clients, and answers and confirms each by the entry of another client",
                SharedPlaces::new);
        contradicting(
                "forking",
                "equivocates to peers: two histories, each for some appservers and clients",
                TwoHistories::fork);
        contradicting(
                "twins", "two instances with one key, whose peers change every few seconds", TwoHistories::shifting);
        contradicting(
                "two-logs",
                "equivocates between clients and peers: peers never see some of the updates",
                TwoHistories::clientsAgainstPeers);
        provable("forged-requests", "enters updates that no client signed", log(ForgedLog.Kind.FORGED));
        server("replayed-requests", "enters clients' old updates again", log(ForgedLog.Kind.REPLAYED));
        server(
                "copied-removals",
                "enters others' removals again, with dependencies that cover nothing of what they remove",
                log(ForgedLog.Kind.COPIES));
        server("ghost-dependencies", "enters updates that depend on what nobody has", log(ForgedLog.Kind.GHOSTS));
        contradicting(
                "understated-dependencies",
                "enters updates whose dependencies do not grow",
                log(ForgedLog.Kind.UNDERSTATED));
        contradicting(
                "narrow-dependencies",
                "enters updates that depend on what it has of one other appserver only",
                new MadeLogs(context -> new Chain(
                        List.of(new ForgedLog(context, ForgedLog.Kind.NARROW), ReportLies.repeated(context)))));
        provable("backward-dependencies", "enters updates whose dependencies go back", log(ForgedLog.Kind.BACKWARDS));
        contradicting(
                "cyclic-dependencies",
                "forks so that its entries and those of correct appservers wait for each other",
                new MadeLogs(CyclicBranch::new));
        provable(
                "broken-last-entry",
                "ends its log with an update that no client signed, and answers no client any more",
                log(ForgedLog.Kind.LAST));
        server(
                FORGED_SNAPSHOTS,
                "gives who was away for long snapshots with forged ends of logs and forged leaves",
                ForgedSnapshots::rules);
        server("fuzzing-fields", "changes single fields of its own frames, and signs them again", FuzzingServer::rules);
        server("selective", "gives its batches to some appservers only", context -> {
            Set<Integer> chosen = new TreeSet<>();
            int count = 1 + context.chance().index(context.quorums().f());
            while (chosen.size() < count) {
                chosen.add(context.chance().index(context.quorums().appservers()));
            }
            return new Rules(context)
                    .on(Batch.class)
                    .where(due -> !chosen.contains(due.index()))
                    .drop();
        });
        server(
                "wrong-entries",
                "answers three in ten updates with the leaf of another entry",
                context -> new Rules(context)
                        .on(Answer.class)
                        .sometimes(USUAL)
                        .replace(answer -> CertificateLies.changed(context, answer, "leaf", context.anyHash())));
        server(
                "denying",
                "accepts updates and denies them right after",
                context -> new Rules(context).on(Answer.class).act((answer, due) -> {
                    due.pass();
                    if (context.chance().happens(0.3)) {
                        Response response = answer.response().message();
                        Refusal.Reason reason = context.chance()
                                .pick(List.of(Refusal.Reason.BUSY, Refusal.Reason.BEHIND, Refusal.Reason.NO_SESSION));
                        due.send(new Refusal(
                                response.client(), response.reference(), false, reason, "it was never here"));
                    }
                }));
        server(
                "wrong-inspections",
                "calls others' right answers wrong and wrong ones right when clients inspect",
                context -> new Rules(context).on(InspectReply.class).to(CLIENTS).replace(reply -> {
                    if (reply.outcome() == Outcome.DIFFERS) {
                        return with(reply, "outcome", Outcome.MATCH);
                    }
                    boolean wrong = context.chance().happens(0.7);
                    List<Outcome> outcomes = List.of(Outcome.values());
                    return with(
                            reply,
                            "outcome",
                            wrong ? Outcome.DIFFERS : context.chance().pick(outcomes));
                }));
        server(
                "wrong-standings",
                "answers clients' questions about others with lies",
                context -> new Rules(context)
                        .on(Standing.class)
                        .to(CLIENTS)
                        .replace(standing -> {
                            List<Standing.Held> none = standing.updates().stream()
                                    .map(held -> new Standing.Held(held.number(), null))
                                    .toList();
                            return with(standing, "certificate", null, "updates", none);
                        })
                        .on(Blacklist.class)
                        .to(CLIENTS)
                        .replace(word -> with(word, "finding", context.chance().pick(List.of(Finding.values())))));
        provable(
                "tagged-forgeries",
                "enters updates that a colluding client did not sign, with tags that are right for some appservers",
                tagged(TaggedForgeries.Forgery.FOR_SOME));
        server(
                "forgeries-tagged-for-all",
                "enters updates that a colluding client did not sign, with tags that are right for all appservers",
                tagged(TaggedForgeries.Forgery.FOR_ALL));
        provable(
                "stolen-secrets",
                "enters updates of clients of other appservers, tagged with their stolen secrets",
                tagged(TaggedForgeries.Forgery.STOLEN));
        server(
                BODYGUARD,
                "enters badly signed, rightly tagged contents under numbers of which the client signs two others",
                tagged(TaggedForgeries.Forgery.BODYGUARD));
        CertificateLies.roles();
        ReportLies.roles();
        Noise.roles();
    }

    private ServerRoles() {}

    /** Makes behaviors that show a log of their own making, which begins with all that they have seen of the server's. */
    private record MadeLogs(Function<AdversaryContext, ByzantineBehavior> maker)
            implements Function<AdversaryContext, ByzantineBehavior> {
        @Override
        public ByzantineBehavior apply(AdversaryContext context) {
            return maker.apply(context);
        }
    }

    /** Whether a server in a role shows a log of its own making. */
    static boolean makesItsLog(String name) {
        Role<ByzantineBehavior> role = SERVERS.get(name);
        return role != null && role.maker() instanceof MadeLogs;
    }

    /** By name, in order. */
    static Map<String, Role<ByzantineBehavior>> all() {
        return SERVERS;
    }

    private static Function<AdversaryContext, ByzantineBehavior> tagged(TaggedForgeries.Forgery kind) {
        return new MadeLogs(
                context -> new ForgedLog(context, ForgedLog.Kind.TAGGED, new TaggedForgeries(context, kind)));
    }

    static void server(String name, String line, Function<AdversaryContext, ByzantineBehavior> maker) {
        SERVERS.put(name, new Role<>(name, line, Proof.UNCERTAIN, maker));
    }

    static void provable(String name, String line, Function<AdversaryContext, ByzantineBehavior> maker) {
        SERVERS.put(name, new Role<>(name, line, Proof.EVERY_MISDEED, maker));
    }

    private static void contradicting(String name, String line, Function<AdversaryContext, ByzantineBehavior> maker) {
        SERVERS.put(name, new Role<>(name, line, Proof.TWO_ENTRIES, maker));
    }

    private static Function<AdversaryContext, ByzantineBehavior> log(ForgedLog.Kind kind) {
        return new MadeLogs(context -> new ForgedLog(context, kind));
    }

    /** Answers with wrong values, in a share of the answers. */
    static Rules wrongValues(AdversaryContext context, double share) {
        return new Rules(context)
                .on(Answer.class)
                .sometimes(share)
                .replace(answer -> CertificateLies.changed(
                        context,
                        answer,
                        "result",
                        answer.response().message().result() instanceof Value.Int number
                                ? new Value.Int(
                                        number.value() + context.chance().between(1, 100))
                                : Value.sequence(List.of(Value.of("never added")))));
    }

    private static void accuse(AdversaryContext context, Evidence evidence, ByzantineBehavior.Exit exit) {
        int self = context.self().index();
        Blacklist word = new Blacklist(self, Digests.evidence(evidence), evidence.accused(), Finding.GUILTY);
        Frame own = context.frame(word);
        List<Signed<Blacklist>> words = new ArrayList<>();
        for (int server = 0; server < context.quorums().appservers(); server++) {
            int name = context.chance().happens(0.5) ? self : server;
            words.add(context.sealer().seal(with(word, "server", name)));
            if (server != self) {
                exit.node(NodeId.appserver(server), new Frame.Plain(evidence), 0);
                exit.node(NodeId.appserver(server), own, 0);
            }
        }
        Frame verdict = context.frame(new Verdict(self, evidence, words));
        context.bftservers().forEach(to -> exit.node(to, verdict, 0));
    }
}
