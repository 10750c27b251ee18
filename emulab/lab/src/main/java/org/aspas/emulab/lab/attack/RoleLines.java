package org.aspas.emulab.lab.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aspas.emulab.sim.role.Roles;

/** The roles of appservers with one line each, for people. */
public final class RoleLines {
    private static final Map<String, String> LINES = new TreeMap<>();

    static {
        LINES.put("silent", "sends no server anything any more");
        LINES.put("silent-to-peers", "acknowledges clients' updates and gives them to no other appserver");
        LINES.put("mute", "answers no client after the greeting");
        LINES.put("selective", "gives its batches to some appservers only");
        LINES.put("delaying", "sends servers everything, half of it seconds late and out of order");
        LINES.put("withholding-certificates", "answers clients without certificates and confirms nothing");
        LINES.put("lying-reports", "reports too little or too much in VERTOBFT");
        LINES.put("high-reports-no-stable", "reports too much in VERTOBFT and never answers with STABLE");
        LINES.put("wrong-stable", "answers the bftservers with wrong roots or a wrong state");
        LINES.put("stale-certificates", "gives clients one old certificate for ever");
        LINES.put(
                "certificates-going-back",
                "gives clients now the newest certificate and now an old one, each signed for");
        LINES.put("signed-forged-certificates", "gives clients forged certificates and signs for them");
        LINES.put(
                "undersigned-certificates",
                "gives clients and servers certificates with too few signatures, all genuine");
        LINES.put("low-reports", "reports in VERTOBFT what it reported first, for ever");
        LINES.put("lopsided-reports", "reports in VERTOBFT its version without what is new of one other appserver");
        LINES.put("wrong-inspections", "calls others' right answers wrong and wrong ones right when clients inspect");
        LINES.put("wrong-standings", "answers clients' questions about others with lies");
        LINES.put("false-accusing", "accuses correct servers and clients with proofs that prove nothing");
        LINES.put("forged-certificates", "gives clients and servers certificates that the bftservers never signed");
        LINES.put("wrong-values", "answers three in ten with a wrong value");
        LINES.put("wrong-entries", "answers three in ten updates with the leaf of another entry");
        LINES.put(
                "shared-places",
                "enters no update of some clients, and answers and confirms each by the entry of another client");
        LINES.put("denying", "accepts updates and denies them right after");
        LINES.put("garbage", "sends bytes that are no frame besides what it owes");
        LINES.put("mutating", "changes bytes in its own frames");
        LINES.put("replaying", "sends anybody old frames of its own and of others");
        LINES.put("flooding", "asks appservers without end, and reports to bftservers");
        LINES.put("impersonating", "continues the logs of others under its own signature");
        LINES.put("forking", "equivocates to peers: two histories, each for some appservers and clients");
        LINES.put("twins", "two instances with one key, whose peers change every few seconds");
        LINES.put("two-logs", "equivocates between clients and peers: peers never see some of the updates");
        LINES.put(
                "false-confirmations",
                "as two-logs, and confirms what peers never saw by certificates of the other log");
        LINES.put("forged-requests", "enters updates that no client signed");
        LINES.put("replayed-requests", "enters clients' old updates again");
        LINES.put("ghost-dependencies", "enters updates that depend on what nobody has");
        LINES.put(
                "cyclic-dependencies", "forks so that its entries and those of correct appservers wait for each other");
        LINES.put("understated-dependencies", "enters updates whose dependencies do not grow");
        LINES.put("narrow-dependencies", "enters updates that depend on what it has of one other appserver only");
        LINES.put("backward-dependencies", "enters updates whose dependencies go back");
        LINES.put(
                "broken-last-entry",
                "ends its log with an update that no client signed, and answers no client any more");
        LINES.put("two-stables", "answers one question of the bftservers with two STABLEs that differ");
        LINES.put("low-stables", "answers the bftservers with STABLEs below what is certified");
        LINES.put("stale-certified-reads", "answers certified reads by an older certificate, with its genuine proof");
        LINES.put("fuzzing-fields", "changes single fields of its own frames, and signs them again");
        LINES.put("heads-of-nothing", "tells peers two heads of one size, one with a root that nothing opens");
    }

    private RoleLines() {}

    /** What a role does; of several joined by {@code +}, all of it. */
    public static String line(String role) {
        return Stream.of(role.split("\\+", -1)).map(RoleLines::one).collect(Collectors.joining("; "));
    }

    private static String one(String role) {
        String line = LINES.get(role);
        if (line == null) {
            throw new IllegalArgumentException("there is no line about role " + role);
        }
        return line;
    }

    /** Whether there is such a role of appservers, or several joined by {@code +}. */
    public static boolean known(String role) {
        return Roles.servers().containsAll(List.of(role.split("\\+", -1)));
    }

    /** Every role of appservers with its line. */
    public static List<String> all() {
        List<String> lines = new ArrayList<>();
        for (String role : Roles.servers()) {
            lines.add(String.format("  %-26s %s", role, line(role)));
        }
        return lines;
    }
}
