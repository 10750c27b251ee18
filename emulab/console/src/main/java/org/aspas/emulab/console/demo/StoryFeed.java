package org.aspas.emulab.console.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Evidence;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.ProofShelf;
import org.aspas.emulab.console.feed.RecentCertificates;
import org.aspas.emulab.testbed.attack.AttackController;
import org.aspas.emulab.testbed.attack.AttackEvent;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.jspecify.annotations.Nullable;

/** Publishes the story of attacks as correct servers and clients observe it. Thread-safe. */
final class StoryFeed implements AttackController.Listener {
    private final ConsoleState state;
    private final RecentCertificates certificates;
    private final ProofShelf proofs;
    private final OpenUpdates open;
    private final IntUnaryOperator serverOf;
    private final IntConsumer excluded;
    private final AtomicBoolean changed = new AtomicBoolean();
    private volatile boolean misdone;
    private volatile long misdeedMillis;
    private boolean cut;
    private boolean told;
    private long lastLeft = -1;
    private List<Long> recovery = List.of();
    private @Nullable Long recovered;
    private long wrong;

    StoryFeed(
            ConsoleState state,
            RecentCertificates certificates,
            ProofShelf proofs,
            OpenUpdates open,
            IntUnaryOperator serverOf,
            IntConsumer excluded) {
        this.state = state;
        this.certificates = certificates;
        this.proofs = proofs;
        this.open = open;
        this.serverOf = serverOf;
        this.excluded = excluded;
    }

    @Override
    public void line(int accused, AttackEvent line) {
        if (line.kind() == AttackEvent.Kind.CORRUPTED) {
            misdone = false;
            begins();
        } else if (line.kind() == AttackEvent.Kind.MISDEED) {
            misdone = true;
            misdeedMillis = state.millis();
        } else if (line.kind() == AttackEvent.Kind.EXCLUDED) {
            cut();
        } else if (line.kind() == AttackEvent.Kind.WRONG) {
            harm();
        }
        Evidence evidence = line.evidence();
        String proof =
                evidence == null ? null : proofs.take(evidence, line.by()).toString();
        String kind = line.kind() == AttackEvent.Kind.ROLLED_BACK
                ? "rolledback"
                : line.kind().name().toLowerCase(Locale.ROOT);
        tell(kind, misdone ? Long.valueOf(line.millis()) : null, "appserver-" + accused, line.by(), line.text(), proof);
        changed();
    }

    /** Starts another attack: lines that appear once per attack can appear again. */
    private synchronized void begins() {
        cut = false;
        told = false;
        recovery = List.of();
        recovered = null;
    }

    private synchronized void cut() {
        if (!cut) {
            open.mark();
            cut = true;
        }
    }

    private synchronized void harm() {
        wrong++;
    }

    /** Publishes a line outside of an attack: an action of a console's user, or the failure of one. */
    void tell(String kind, String node, String text) {
        tell(kind, null, node, "console", text, null);
    }

    private void tell(
            String kind, @Nullable Long since, String server, String by, String text, @Nullable String proof) {
        state.story(state.timed()
                .put("kind", kind)
                .put("since", since)
                .put("server", server)
                .put("by", by)
                .put("text", text)
                .put("proof", proof));
    }

    @Override
    public void certificate(int server, Certificate certificate) {
        if (certificates.take(certificate, "appserver-" + server)) {
            for (Exclusion one : certificate.content().exclusions()) {
                excluded.accept(one.origin());
            }
        }
    }

    @Override
    public void evidence(Evidence evidence, String by) {
        proofs.take(evidence, by);
    }

    @Override
    public void findings(Evidence evidence, byte[] verdict) {
        proofs.found(evidence, verdict);
    }

    @Override
    public void changed() {
        changed.set(true);
    }

    /**
     * Publishes the state of the attack if it has changed, and reports once when nothing is lost. For one thread.
     */
    synchronized void publish(ByzantineReport attack) {
        long left = cut ? open.left() : -1;
        if (left == 0 && !told) {
            told = true;
            whole(attack);
        }
        if (changed.getAndSet(false) || left != lastLeft) {
            lastLeft = left;
            state.publish("attack", fields(attack, left));
        }
    }

    private void whole(ByzantineReport attack) {
        long since = state.millis() - misdeedMillis;
        if (open.failed() == 0) {
            String text = "nothing lost: all " + open.atMark() + " updates that were unconfirmed at the exclusion are"
                    + " confirmed, each with a verified proof";
            tell("whole", since, attack.server(), "clients", text, null);
        } else {
            wrong++;
            String text = open.failed() + " updates were never confirmed";
            tell("wrong", since, attack.server(), "clients", text, null);
        }
    }

    /** Returns when a client last left the server or had updates revoked, in milliseconds since the first misdeed; null before. */
    private @Nullable Long recovered(ByzantineReport attack) {
        List<Long> now = List.of((long) attack.switched(), attack.revoked());
        if (!now.equals(recovery) && now.stream().anyMatch(count -> count > 0)) {
            recovered = misdone ? Long.valueOf(state.millis() - misdeedMillis) : null;
        }
        recovery = now;
        return recovered;
    }

    /** Lists the servers whose clients still have unconfirmed updates from before the exclusion. */
    private void openAt(ArrayNode all) {
        Map<Integer, Integer> updates = new TreeMap<>();
        for (int client = 0; client < open.clients(); client++) {
            int mine = open.left(client);
            if (mine > 0) {
                updates.merge(serverOf.applyAsInt(client), mine, Integer::sum);
            }
        }
        updates.forEach((server, count) ->
                all.addObject().put("server", "appserver-" + server).put("updates", count));
    }

    private ObjectNode fields(ByzantineReport attack, long left) {
        ObjectNode event = state.timed()
                .put("server", attack.server())
                .put("role", attack.role())
                .put("line", attack.description())
                .put("misdeeds", attack.misdeeds())
                .put("clients", attack.clients())
                .put("switched", attack.switched())
                .put("revoked", attack.revoked())
                .put("resubmitted", attack.resubmitted())
                .put("rolledBack", attack.rolledBack())
                .put("recovered", recovered(attack))
                .put("detected", millis(attack.detected()))
                .put("proof", attack.proof())
                .put("verdict", millis(attack.verdict()))
                .put("excluded", millis(attack.excluded()));
        event.put("open", left < 0 ? null : Long.valueOf(left));
        event.put("openOnce", left < 0 ? null : Long.valueOf(open.atMark()));
        ArrayNode places = event.putArray("openAt");
        if (left > 0) {
            openAt(places);
        }
        return event.put("wrong", wrong);
    }

    private static @Nullable Long millis(ByzantineReport.@Nullable Moment moment) {
        return moment == null ? null : Long.valueOf(moment.millis());
    }
}
