package org.aspas.emulab.testbed.attack;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Evidence;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Notice;
import org.aspas.emulab.sim.invariant.Detection;
import org.aspas.emulab.sim.invariant.Detections;
import org.aspas.emulab.testbed.attack.AttackEvent.Kind;
import org.aspas.emulab.testbed.attack.ByzantineReport.Moment;
import org.jspecify.annotations.Nullable;

/**
 * What happened around one Byzantine appserver, told as it happens and kept for the end. Times are counted from the first
 * misdeed. Of the clients' deeds the first few of each kind are told. Thread-safe.
 */
final class AttackTimeline implements ServerWatch {
    private static final int TOLD_OF_A_KIND = 3;
    private static final String BFTSERVER = "bftserver-";

    private final int accused;
    private final Set<Integer> others;
    private final LongSupplier nanos;
    private final Consumer<AttackEvent> teller;
    private final Map<Integer, Integer> servers = new TreeMap<>();
    private final Map<String, Integer> told = new TreeMap<>();
    private final Map<ClientEvent.Why, Integer> reasons = new EnumMap<>(ClientEvent.Why.class);
    private final Set<Integer> switched = new TreeSet<>();
    private final Set<Integer> harmed = new TreeSet<>();
    private final Set<String> refused = new TreeSet<>();
    private final Set<Integer> attacked = new TreeSet<>();
    private long origin;
    /** When the present event happened, so that what is told and what is reported of it have one time. */
    private long now;

    private boolean begun;
    private final Detections detections;
    private @Nullable Moment firstMisdeed;
    private boolean proved;
    private long lastSwitch;
    private long revoked;
    private long rolledBack;
    private long resubmitted;

    /**
     * A chronicle of nothing yet.
     *
     * @param others the indexes of other Byzantine appservers, whose exclusion harms nobody
     */
    AttackTimeline(int accused, Set<Integer> others, LongSupplier nanos, Consumer<AttackEvent> teller) {
        this.accused = accused;
        this.others = Set.copyOf(others);
        this.nanos = nanos;
        this.teller = teller;
        this.origin = nanos.getAsLong();
        this.detections = new Detections(() -> TimeUnit.NANOSECONDS.toMicros(now), () -> 0);
    }

    private String name() {
        return server(accused);
    }

    private static String server(int index) {
        return NodeId.appserver(index).toString();
    }

    /** Somebody correct notices the Byzantine server; how that is told, which says so when it is the first time. */
    private String noticed(Detection.Kind kind, String by, String what, String otherwise) {
        boolean first = detections.first().isEmpty();
        detections.noticed(kind, by, name(), what);
        return first ? "detected: " : otherwise;
    }

    private long millis() {
        return TimeUnit.NANOSECONDS.toMillis(now - origin);
    }

    private void tell(Kind kind, String by, String what, @Nullable Evidence evidence) {
        teller.accept(new AttackEvent(kind, millis(), by, what, evidence));
    }

    /** Tells the first few deeds of a kind by clients; the others are counted only. */
    private void tellSome(Kind kind, int client, String deed, String what) {
        int before = told.merge(deed, 1, Integer::sum);
        if (before <= TOLD_OF_A_KIND) {
            tell(kind, "client " + client, what, null);
        } else if (before == TOLD_OF_A_KIND + 1) {
            tell(kind, "client " + client, "... and more of this: " + deed, null);
        }
    }

    private static String counted(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    // ---- The attack ----

    /** Marks the start of the workload, from which the time of the first misdeed is counted. */
    synchronized void workloadBegins() {
        origin = nanos.getAsLong();
    }

    /** The attack begins: the server misbehaves when it next has occasion to. Misdeeds before are not counted. */
    synchronized void begin(String role) {
        begun = true;
        servers.forEach((client, server) -> {
            if (server == accused) {
                attacked.add(client);
            }
        });
        now = nanos.getAsLong();
        String what = "from now on " + name() + " attacks as " + role + "; " + attacked.size() + " of " + servers.size()
                + " clients are on it";
        tell(Kind.CORRUPTED, name(), what, null);
    }

    /** The server does what a correct one would not do: a verb phrase whose subject is the server. */
    synchronized void misdeed(String what) {
        now = nanos.getAsLong();
        if (detections.misdeed(name())) {
            firstMisdeed = new Moment(millis(), name(), what);
            origin = now;
            tell(Kind.MISDEED, name(), "first misdeed: " + name() + " " + what, null);
        }
    }

    // ---- The correct servers ----

    @Override
    public synchronized void evidence(Evidence evidence, String by) {
        now = nanos.getAsLong();
        if (!isAccused(evidence)) {
            if (evidence.accused() instanceof Accused.Client client) {
                refused.add(shortened(client.id()));
            }
            return;
        }
        if (!proved) {
            proved = true;
            String proof = evidence.kind().name();
            String first = noticed(Detection.Kind.PROVED, by, proof, "proved: ");
            tell(Kind.PROOF, by, first + "the proof " + proof + " by " + by, evidence);
            if (by.startsWith(BFTSERVER)) {
                verdict("the bftservers", proof, "the bftservers find " + name() + " guilty of " + proof, evidence);
            }
        }
    }

    private boolean isAccused(Evidence evidence) {
        return evidence.accused() instanceof Accused.Server server && server.index() == accused;
    }

    private static String shortened(ClientId client) {
        String name = client.toString();
        return name.substring(0, Math.min(name.length(), 12));
    }

    @Override
    public synchronized void verdict(int server, Evidence evidence) {
        now = nanos.getAsLong();
        if (isAccused(evidence)) {
            String proof = evidence.kind().name();
            String by = server(server);
            verdict(by, proof, by + " finds " + name() + " guilty of " + proof + " and tells the bftservers", evidence);
        }
    }

    private void verdict(String by, String proof, String sentence, Evidence evidence) {
        if (detections.first(Detection.Kind.VERDICT).isEmpty()) {
            noticed(Detection.Kind.VERDICT, by, proof, "");
            tell(Kind.VERDICT, by, "verdict: " + sentence, evidence);
        }
    }

    @Override
    public synchronized void certificate(int server, Certificate certificate) {
        now = nanos.getAsLong();
        for (Exclusion one : certificate.content().exclusions()) {
            String by = "certificate " + certificate.number();
            if (one.origin() != accused) {
                if (!others.contains(one.origin()) && harmed.add(one.origin())) {
                    tell(Kind.WRONG, by, by + " excludes " + server(one.origin()) + ", which is correct", null);
                }
            } else if (detections.first(Detection.Kind.EXCLUDED).isEmpty()) {
                String what = "cut off after entry " + String.format(Locale.ROOT, "%,d", one.cut());
                noticed(Detection.Kind.EXCLUDED, by, what, "");
                String sentence = ", which " + server(server) + " has first, says that " + name() + " is " + what;
                tell(Kind.EXCLUDED, by, "excluded: " + by + sentence, null);
            }
        }
    }

    // ---- The clients ----

    synchronized void starts(int client, int server) {
        servers.put(client, server);
    }

    private boolean onAccused(int client) {
        return servers.getOrDefault(client, -1) == accused;
    }

    /** A check of the client failed, or it received bytes that are no message. */
    synchronized void notice(int client, Notice notice) {
        now = nanos.getAsLong();
        if (!begun || !onAccused(client)) {
            return;
        }
        if (notice instanceof Notice.VerificationFailed failed) {
            clientDetects(client, "the check " + failed.check() + " fails: " + failed.detail());
        } else if (notice instanceof Notice.ProtocolBroken broken) {
            clientDetects(client, name() + " breaks the protocol: " + broken.detail());
        }
    }

    private void clientDetects(int client, String what) {
        String who = "client " + client;
        String sentence = noticed(Detection.Kind.NOTICED, who, what, "") + who + ": " + what;
        tellSome(Kind.NOTICED, client, "a client's check fails", sentence);
    }

    synchronized void event(int client, ClientEvent event) {
        now = nanos.getAsLong();
        if (event instanceof ClientEvent.Switched turn) {
            turned(client, turn);
        } else if (!begun) {
            return;
        } else if (event instanceof ClientEvent.Complained complaint && complaint.server() == accused) {
            String who = "client " + client;
            tellSome(
                    Kind.COMPLAINT,
                    client,
                    "a client complains",
                    noticed(Detection.Kind.PROVED, who, complaint.kind().name(), "") + who + " complains of " + name()
                            + " with the proof " + complaint.kind());
        } else if (event instanceof ClientEvent.Revoked gone) {
            revoked += gone.updates().size();
            tellSome(
                    Kind.REVOKED,
                    client,
                    "a client's updates are revoked",
                    "client " + client + ": " + counted(gone.updates().size(), "update") + " beyond the cut revoked");
        } else if (event instanceof ClientEvent.RolledBack back) {
            rolledBack += back.values().size();
            tellSome(
                    Kind.ROLLED_BACK,
                    client,
                    "a client goes back to certified values",
                    "client " + client + " goes back to the certified values of "
                            + counted(back.values().size(), "object") + ", certificate " + back.certificate());
        } else if (event instanceof ClientEvent.Resubmitted again) {
            resubmitted += again.numbers().size();
            tellSome(
                    Kind.RESUBMITTED,
                    client,
                    "a client gives updates to another server",
                    "client " + client + " gives " + counted(again.numbers().size(), "unconfirmed update")
                            + " to appserver-" + again.server());
        }
    }

    private void turned(int client, ClientEvent.Switched turn) {
        boolean left = begun && turn.from() == accused;
        servers.put(client, turn.to());
        if (begun && turn.to() == accused) {
            attacked.add(client);
        }
        if (!left) {
            if (begun && turn.to() != accused) {
                tellSome(
                        Kind.SWITCHED,
                        client,
                        "a client leaves a correct server",
                        "client " + client + " leaves " + server(turn.from()) + ", which is correct: " + turn.detail());
            }
            return;
        }
        switched.add(client);
        lastSwitch = millis();
        reasons.merge(turn.why(), 1, Integer::sum);
        String why = turn.why() + ": " + turn.detail();
        if (!noticed(Detection.Kind.LEFT, "client " + client, why, "").isEmpty()) {
            tell(Kind.NOTICED, "client " + client, "detected: client " + client + ": " + turn.detail(), null);
        }
        tellSome(
                Kind.SWITCHED,
                client,
                "a client leaves",
                "client " + client + " leaves " + name() + " for " + server(turn.to()) + " (" + turn.why() + ")");
    }

    // ---- The end ----

    private static Moment moment(Detection found) {
        String proof = found.kind() == Detection.Kind.PROVED ? "the proof " : "";
        return new Moment(TimeUnit.MICROSECONDS.toMillis(found.afterMicros()), found.by(), proof + found.what());
    }

    /** What there is to report, given what the comparison at the end found lost. */
    synchronized ByzantineReport report(String role, String description, long lost) {
        Map<String, Integer> why = new TreeMap<>();
        reasons.forEach((reason, count) -> why.put(reason.name(), count));
        return new ByzantineReport(
                role,
                description,
                name(),
                detections.misdeeds(name()),
                firstMisdeed,
                detections.first().map(AttackTimeline::moment).orElse(null),
                detections.first(Detection.Kind.PROVED).map(Detection::what).orElse(null),
                detections
                        .first(Detection.Kind.VERDICT)
                        .map(AttackTimeline::moment)
                        .orElse(null),
                detections
                        .first(Detection.Kind.EXCLUDED)
                        .map(AttackTimeline::moment)
                        .orElse(null),
                attacked.size(),
                switched.size(),
                lastSwitch,
                why,
                revoked,
                rolledBack,
                resubmitted,
                lost,
                List.copyOf(harmed),
                refused.size());
    }
}
