package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.port.LeafStore;
import org.aspas.appserver.store.StoreOnLayer;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.memory.MemoryFiles;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One damaged place in a real file of hashes of leaves, while its server runs: what is asked about it counts as forgotten. */
class LeafDamageTest {
    private static final int TRIALS = Integer.getInteger("aspas.damages", 40);
    private static final int WHO = 2;
    private static final int LEAVES = 1 << MerkleLog.BLOCK_LEVEL;
    private static final long PATIENCE_SECONDS = 10;
    private static final long MIB = 1 << 20;
    private static final long HOUR = 3_600_000;
    private static final List<Long> FIRST_BLOCK = List.of(0L, 0L);

    private final Deployment world = new Deployment(
            7,
            client -> true,
            CoreLimits.USUAL.keeping(new RetentionLimits(3, 500, MIB, HOUR, MIB, MIB, MerkleLog.BLOCK_LEVEL)));
    private final TestClient writer = world.client(1, 0);
    private int askers = 1_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    /** The first update of a log whose first block of leaves left memory everywhere. */
    private Signed<Request> longAgo() {
        writer.open();
        world.run(100);
        for (int i = 0; i < LEAVES + 20; i++) {
            writer.update("s", "aw-set", Operation.of("add", Value.of(i % 4)));
            if (i % 20 == 0) {
                world.run(100);
            }
        }
        world.run(2_000);
        for (int i = 0; i < 20; i++) {
            writer.update("s", "aw-set", Operation.of("add", Value.of(i % 4)));
            world.run(100);
        }
        assertThat(world.leaves.get(WHO)).containsOnlyKeys(FIRST_BLOCK);
        return writer.requests.firstEntry().getValue();
    }

    private Outcome inspect(Signed<Response> answer, Signed<Request> asked) {
        TestClient asker = world.client(askers++, WHO);
        asker.ask(new Inspect(asker.id(), 1, answer, Question.of(asked)));
        world.run(50);
        return asker.newest(InspectReply.class).orElseThrow().message().outcome();
    }

    private long missing() {
        return world.cores.get(WHO).status().counters().getOrDefault("leaves_missing", 0L);
    }

    /** Flips a bit, or cuts the file short, or takes it away. */
    private static void damage(Path file, Random random) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(5)) {
            case 0 -> Files.delete(file);
            case 1, 2 -> Files.write(file, Arrays.copyOf(bytes, at));
            default -> {
                bytes[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, bytes);
            }
        }
    }

    @Test
    void damagedHashesCountAsForgottenAndNothingElseIsSaid() throws Exception {
        Signed<Request> first = longAgo();
        Signed<Response> answer = writer.answer(1, true).map(Answer::response).orElseThrow();
        Map<List<Long>, LeafBlock> kept = world.leaves.get(WHO);
        LeafBlock block = Objects.requireNonNull(kept.get(FIRST_BLOCK));
        MemoryFiles journal = new MemoryFiles("disk", new Random(1)::nextLong);
        StoreOwner owner = new StoreOwner(
                world.deployment,
                NodeId.appserver(WHO),
                world.settings.get(WHO).sealer().publicKey());
        StoreOnLayer.make(journal, owner);
        try (EntryStore store =
                StoreOnLayer.open(journal, folder, owner, name -> Executors.newSingleThreadScheduledExecutor())) {
            LeafStore files = store.leaves();
            for (long seed = 0; seed <= TRIALS; seed++) {
                files.keep(0, block);
                assertThat(load(files)).isNotNull();
                if (seed > 0) {
                    damage(leafFile(), new Random(seed * 0x9E3779B97F4A7C15L));
                }
                LeafBlock read = load(files);
                kept.clear();
                if (read != null) {
                    kept.put(FIRST_BLOCK, read);
                }
                long before = missing();
                Outcome outcome = inspect(answer, first);
                assertThat(outcome).as("seed %d", seed).isEqualTo(seed == 0 ? Outcome.MATCH : Outcome.PRUNED);
                assertThat(missing() > before).as("seed %d", seed).isEqualTo(seed > 0);
            }
        }
        assertThat(world.alarms).isEmpty();
    }

    private static @Nullable LeafBlock load(LeafStore files) throws Exception {
        return files.load(0, 0).toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private Path leafFile() throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".leaves"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
