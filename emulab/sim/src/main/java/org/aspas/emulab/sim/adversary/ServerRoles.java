package org.aspas.emulab.sim.adversary;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.aspas.emulab.sim.adversary.ByzantineRole.Proof;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/** The table of the roles of appservers. */
final class ServerRoles {
    static final String WRONG_VALUES = "wrong-values";
    static final String FORGED_SNAPSHOTS = "forged-snapshots";
    static final String BODYGUARD = "bodyguard";

    private static final Map<String, ByzantineRole<ByzantineBehavior>> SERVERS = new TreeMap<>();

    static {
        server("silent", "sends no server anything any more", Withholding::silent);
        server(
                "silent-to-peers",
                "acknowledges clients' updates and gives them to no other appserver",
                Withholding::silentToPeers);
        server("mute", "answers no client after the greeting", Withholding::mute);
        server("selective", "gives its batches to some appservers only", Withholding::selective);
        server("delaying", "sends servers everything, half of it seconds late and out of order", Withholding::delaying);
        server(
                "withholding-certificates",
                "answers clients without certificates and confirms nothing",
                Withholding::withoutCertificates);
        server("lying-reports", "reports too little or too much in VERTOBFT", power -> Lying.reports(power, true));
        server(
                "high-reports-no-stable",
                "reports too much in VERTOBFT and never answers with STABLE",
                power -> Lying.reports(power, false));
        server("low-reports", "reports in VERTOBFT what it reported first, for ever", Lying::lowReports);
        server(
                "lopsided-reports",
                "reports in VERTOBFT its version without what is new of one other appserver",
                Lying::lopsidedReports);
        provable("wrong-stable", "answers the bftservers with wrong roots or a wrong state", Lying::stables);
        server("stale-certificates", "gives clients one old certificate for ever", Lying::staleCertificates);
        server(
                "forged-certificates",
                "gives clients and servers certificates that the bftservers never signed",
                ForgedCertificates::new);
        provable(
                "certificates-going-back",
                "gives clients now the newest certificate and now an old one, each signed for",
                Lying::certificatesGoingBack);
        provable(
                "signed-forged-certificates",
                "gives clients forged certificates and signs for them",
                Lying::signedForgedCertificates);
        server(
                "undersigned-certificates",
                "gives clients and servers certificates with too few signatures, all genuine",
                FewSignatures::new);
        server(
                "wrong-inspections",
                "calls others' right answers wrong and wrong ones right when clients inspect",
                LyingWitness::inspections);
        server("wrong-standings", "answers clients' questions about others with lies", LyingWitness::standings);
        server(
                "false-accusing",
                "accuses correct servers and clients with proofs that prove nothing",
                FalseAccuser::new);
        provable(WRONG_VALUES, "answers three in ten with a wrong value", Lying::values);
        server("wrong-entries", "answers three in ten updates with the leaf of another entry", Lying::leaves);
        server(
                "shared-places",
                "enters no update of some clients, and answers and confirms each by the entry of another client",
                SharedPlaces::new);
        server("denying", "accepts updates and denies them right after", Lying::denial);
        server("garbage", "sends bytes that are no frame besides what it owes", Noise::garbage);
        server("mutating", "changes bytes in its own frames", Noise::mutation);
        server("replaying", "sends anybody old frames of its own and of others", Noise::replay);
        server("flooding", "asks appservers without end, and reports to bftservers", Noise::flood);
        server("impersonating", "continues the logs of others under its own signature", Impersonating::origins);
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
        server(
                "false-confirmations",
                "as two-logs, and confirms what peers never saw by certificates of the other log",
                power -> new Chain(List.of(TwoHistories.clientsAgainstPeers(power), new FalseConfirmations(power))));
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
                new MadeLogs(power ->
                        new Chain(List.of(new ForgedLog(power, ForgedLog.Kind.NARROW), new RepeatedReports(power)))));
        provable("backward-dependencies", "enters updates whose dependencies go back", log(ForgedLog.Kind.BACKWARDS));
        contradicting(
                "cyclic-dependencies",
                "forks so that its entries and those of correct appservers wait for each other",
                new MadeLogs(CyclicBranch::new));
        provable(
                "broken-last-entry",
                "ends its log with an update that no client signed, and answers no client any more",
                log(ForgedLog.Kind.LAST));
        provable(
                "heads-of-nothing",
                "tells peers two heads of one size, one with a root that nothing opens",
                HeadsOfNothing::new);
        provable("two-stables", "answers one question of the bftservers with two STABLEs that differ", TwoStables::new);
        server(
                "loose-closures",
                "answers the bftservers with a closed version whose roots are of another one",
                LooseClosures::new);
        server("low-stables", "answers the bftservers with STABLEs below what is certified", LowStables::new);
        server(
                "stale-certified-reads",
                "answers certified reads by an older certificate, with its genuine proof",
                StaleReads::new);
        server(
                FORGED_SNAPSHOTS,
                "gives who was away for long snapshots with forged ends of logs and forged leaves",
                ForgedSnapshots::new);
        server("fuzzing-fields", "changes single fields of its own frames, and signs them again", FuzzingServer::new);
        tags();
    }

    private ServerRoles() {}

    /** Makes conducts that show a log of their own making, which begins with all that they have seen of the server's. */
    private record MadeLogs(Function<AdversaryContext, ByzantineBehavior> maker)
            implements Function<AdversaryContext, ByzantineBehavior> {
        @Override
        public ByzantineBehavior apply(AdversaryContext power) {
            return maker.apply(power);
        }
    }

    /** Whether a server in a role shows a log of its own making. */
    static boolean makesItsLog(String name) {
        ByzantineRole<ByzantineBehavior> role = SERVERS.get(name);
        return role != null && role.maker() instanceof MadeLogs;
    }

    /** By name, in order. */
    static Map<String, ByzantineRole<ByzantineBehavior>> all() {
        return SERVERS;
    }

    /** Attacks on the tags beside entries. */
    private static void tags() {
        server(
                "stripped-tags",
                "gives batches without their tags, to all appservers or all but one",
                SpoiledTags::stripped);
        server("garbled-tags", "gives batches with wrong tags, or tags at other entries", SpoiledTags::garbled);
        server(
                "relayed-without-tags",
                "gives others' batches to all appservers at once, without tags",
                SpoiledTags::relaying);
        provable(
                "tagged-forgeries",
                "enters updates that a colluding client did not sign, with tags that are right for some appservers",
                tagged(TaggedForgeries.Kind.FOR_SOME));
        server(
                "forgeries-tagged-for-all",
                "enters updates that a colluding client did not sign, with tags that are right for all appservers",
                tagged(TaggedForgeries.Kind.FOR_ALL));
        provable(
                "stolen-secrets",
                "enters updates of clients of other appservers, tagged with their stolen secrets",
                tagged(TaggedForgeries.Kind.STOLEN));
        server(
                BODYGUARD,
                "enters badly signed, rightly tagged contents under numbers of which the client signs two others",
                tagged(TaggedForgeries.Kind.BODYGUARD));
    }

    private static Function<AdversaryContext, ByzantineBehavior> tagged(TaggedForgeries.Kind kind) {
        return new MadeLogs(power -> new ForgedLog(power, ForgedLog.Kind.TAGGED, new TaggedForgeries(power, kind)));
    }

    private static void server(String name, String line, Function<AdversaryContext, ByzantineBehavior> maker) {
        SERVERS.put(name, new ByzantineRole<>(name, line, Proof.UNCERTAIN, maker));
    }

    private static void provable(String name, String line, Function<AdversaryContext, ByzantineBehavior> maker) {
        SERVERS.put(name, new ByzantineRole<>(name, line, Proof.EVERY_MISDEED, maker));
    }

    private static void contradicting(String name, String line, Function<AdversaryContext, ByzantineBehavior> maker) {
        SERVERS.put(name, new ByzantineRole<>(name, line, Proof.TWO_ENTRIES, maker));
    }

    private static Function<AdversaryContext, ByzantineBehavior> log(ForgedLog.Kind kind) {
        return new MadeLogs(power -> new ForgedLog(power, kind));
    }
}
