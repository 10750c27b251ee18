package org.aspas.emulab.cli;

import static org.aspas.emulab.cli.NodeProcesses.NODES;
import static org.aspas.emulab.cli.NodeProcesses.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Limits;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds of {@code kill -9}: an appserver, a bftserver, a client, all eight nodes at once, and an appserver at a chosen place of its
 * store. All are processes on real sockets, and two clients read and write all the time. What a client was acknowledged is there
 * afterwards, each update counts once, and certificates make one chain.
 *
 * <p>{@code -Daspas.crash.rounds=N} (5 is one of each kind), {@code -Daspas.crash.seed=S}. No time is judged: what does not
 * come back within five minutes has failed.
 */
@Tag("crash")
class AppserverCrashTest {
    private static final int CHECK_EVERY = 30;
    private static final int MOST_ANSWERS = 40;

    /** What a round kills. */
    private enum Blow {
        APPSERVER(11),
        BFTSERVER(6),
        CLIENT(6),
        ALL_EIGHT(3),
        FAILPOINT(4);

        /** How many of thirty rounds. */
        final int share;

        Blow(int share) {
            this.share = share;
        }
    }

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final long seed = Long.getLong("aspas.crash.seed", 1);
    private final int rounds = Integer.getInteger("aspas.crash.rounds", Blow.values().length);
    private final Random random = new Random(seed);
    private final Map<Blow, Integer> struck = new EnumMap<>(Blow.class);

    @Test
    void nothingAcknowledgedIsLostOrCountsTwice() throws Exception {
        System.out.println("seed " + seed + ", rounds " + rounds);
        try (CrashLab lab = CrashLab.start(folder, 2, seed)) {
            List<Blow> deck = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                if (deck.isEmpty()) {
                    deck = shuffled();
                }
                Blow blow = deck.remove(0);
                lab.awaitAnswers(1 + random.nextInt(MOST_ANSWERS));
                String who = strike(lab, blow);
                struck.merge(blow, 1, Integer::sum);
                System.out.println("round " + round + ": " + who + "; " + lab.counts());
                if (round % CHECK_EVERY == 0 || round == rounds) {
                    lab.awaitAnswers(5);
                    lab.verify();
                    System.out.println("round " + round + ": verified, up to certificate " + lab.newestCertificate());
                }
            }
            System.out.println("seed " + seed + ", rounds " + rounds + " " + struck + ": " + lab.counts()
                    + ", certificates " + lab.newestCertificate() + "; none lost, none twice, one chain");
        }
    }

    /** Thirty rounds, the first of which are one of each kind. */
    private List<Blow> shuffled() {
        List<Blow> first = new ArrayList<>(List.of(Blow.values()));
        List<Blow> rest = new ArrayList<>();
        for (Blow blow : Blow.values()) {
            rest.addAll(Collections.nCopies(blow.share - 1, blow));
        }
        Collections.shuffle(first, random);
        Collections.shuffle(rest, random);
        first.addAll(rest);
        return first;
    }

    private String strike(CrashLab lab, Blow blow) throws Exception {
        int index = random.nextInt(NODES);
        switch (blow) {
            case APPSERVER -> {
                return strikeNode(lab, "appserver", index);
            }
            case BFTSERVER -> {
                return strikeNode(lab, "bftserver", index);
            }
            case CLIENT -> {
                int client = index % lab.clients().size();
                lab.restartClient(client);
                lab.awaitAnswers(1);
                return lab.clients().get(client).name() + " killed";
            }
            case ALL_EIGHT -> {
                lab.nodes().killAll();
                lab.launchAll();
                lab.awaitAllBack();
                return "all eight nodes killed";
            }
            default -> {
                return strikeAtFailpoint(lab, index);
            }
        }
    }

    /** Killed, and away for a while or not. */
    private String strikeNode(CrashLab lab, String role, int index) throws Exception {
        lab.nodes().kill(role, index);
        int away = random.nextInt(3) * 5;
        if (away > 0) {
            lab.awaitAnswers(away);
        }
        lab.launch(role, index);
        lab.awaitBack(role, index);
        return role + "-" + index + " killed, and away for " + away + " answers of each client";
    }

    /** The server ends by itself where it is told to, which proves that the place was hit. */
    private String strikeAtFailpoint(CrashLab lab, int index) throws Exception {
        String place = List.of("before-write", "before-sync", "in-certificate").get(random.nextInt(3));
        int time = 1 + random.nextInt(place.equals("in-certificate") ? 5 : 30);
        String name = "appserver-" + index;
        lab.nodes().kill("appserver", index);
        lab.launch("appserver", index, "-Daspas.failpoint=" + place + ":" + time);
        assertThat(lab.nodes().node(name).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(name + " reaches " + place + " " + time)
                .isTrue();
        assertThat(lab.nodes().printed(name)).contains("failpoint " + place + ": the process ends");
        lab.launch("appserver", index);
        lab.awaitBack("appserver", index);
        return name + " ended at " + place + " " + time;
    }

    /**
     * A server that was away for longer than certificates are kept, eight of them and a second here, ends behind the head of a
     * snapshot, behind its part, and behind its installation; then it goes on from its store.
     */
    @Test
    void aSnapshotThatIsInstalledWhileTheServerEndsTimeAfterTimeIsTheWholeState() throws Exception {
        Limits usual = Limits.DEFAULT;
        Limits few = new Limits(
                usual.clientFrameBytes(),
                usual.linkFrameBytes(),
                usual.keyBytes(),
                usual.operationBytes(),
                usual.batchEntries(),
                usual.batchBytes(),
                usual.tickMillis(),
                usual.epochTicks(),
                usual.roundTicks(),
                8);
        try (CrashLab lab = CrashLab.start(NodeProcesses.in(folder, few), folder, 1, seed, "--retain-time", "1")) {
            lab.nodes().kill("appserver", 3);
            for (String place : List.of("snapshot-head", "snapshot-part", "snapshot-end")) {
                long before = lab.newestCertificate();
                Awaitility.await().atMost(PATIENCE).until(() -> lab.newestCertificate() > before + 30);
                lab.launch("appserver", 3, "-Daspas.failpoint=" + place + ":1");
                assertThat(lab.nodes().node("appserver-3").waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as(place)
                        .isTrue();
                assertThat(lab.nodes().printed("appserver-3")).contains("failpoint " + place + ": the process ends");
                CommandRun fsck = CommandRun.of("fsck", lab.nodes().lab().toString(), "--node", "appserver-3");
                assertThat(fsck.exit()).as(fsck.errors()).isZero();
                System.out.println("ended at " + place + ": " + fsck.out().strip());
            }
            lab.launch("appserver", 3);
            lab.awaitBack("appserver", 3);
            lab.awaitAnswers(20);
            lab.verify();
            CommandRun fsck = CommandRun.of("fsck", lab.nodes().lab().toString(), "--node", "appserver-3");
            assertThat(fsck.out()).contains("snapshots installed");
        }
    }
}
