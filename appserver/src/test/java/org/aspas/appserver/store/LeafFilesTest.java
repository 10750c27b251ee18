package org.aspas.appserver.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.log.MerkleLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hashes of leaves in real files. */
class LeafFilesTest {
    private static final int LEAVES = 1 << MerkleLog.BLOCK_LEVEL;
    private static final long PATIENCE_SECONDS = 10;
    private static final int BLOCKS = 100;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path data;

    private static LeafBlock block(int origin, long first) {
        byte[] hashes = new byte[LEAVES * Hash.LENGTH];
        new Random(origin * 31L + first).nextBytes(hashes);
        return new LeafBlock(first, hashes);
    }

    private static StoreOwner owner(int deployment) {
        return new StoreOwner(
                Hash.sha256(new byte[] {(byte) deployment}),
                NodeId.appserver(1),
                SigningKey.of(new byte[Hash.LENGTH]).publicKey());
    }

    private LeafFiles open() throws IOException {
        return LeafFiles.open(data, owner(1), Durability.SYNC);
    }

    private static @Nullable LeafBlock load(LeafFiles files, int origin, long first) throws Exception {
        return files.load(origin, first).toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static void holds(LeafFiles files, int origin, long first) throws Exception {
        LeafBlock read = load(files, origin, first);
        assertThat(read).isNotNull();
        assertThat(read.first()).isEqualTo(first);
        assertThat(read.hashes()).isEqualTo(block(origin, first).hashes());
    }

    private long bytes() throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(file -> file.toString().endsWith(".leaves") && Files.isRegularFile(file))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void whatIsKeptComesBackAndTakes32BytesForALeaf() throws Exception {
        try (LeafFiles files = open()) {
            for (int i = 0; i < BLOCKS; i++) {
                files.keep(0, block(0, (long) i * LEAVES));
                files.keep(3, block(3, (long) i * LEAVES));
            }
            for (int i = BLOCKS - 1; i >= 0; i--) {
                holds(files, 3, (long) i * LEAVES);
                holds(files, 0, (long) i * LEAVES);
            }
            assertThat(bytes()).isEqualTo(2L * BLOCKS * LEAVES * Hash.LENGTH);
        }
    }

    @Test
    void whatIsNotThereIsNothing() throws Exception {
        try (LeafFiles files = open()) {
            files.keep(0, block(0, 5L * LEAVES));
            assertThat(load(files, 1, 0)).as("another origin").isNull();
            assertThat(load(files, 0, 6L * LEAVES))
                    .as("behind the end of the file")
                    .isNull();
            assertThat(load(files, 0, 1000L * LEAVES)).as("another file").isNull();
        }
    }

    @Test
    void theBeginningCanGo() throws Exception {
        try (LeafFiles files = open()) {
            for (int i = 0; i < BLOCKS; i++) {
                files.keep(0, block(0, (long) i * LEAVES));
            }
            files.drop(0, 70L * LEAVES);
            assertThat(load(files, 0, 63L * LEAVES)).isNull();
            holds(files, 0, 70L * LEAVES);
            assertThat(bytes()).isEqualTo((BLOCKS - 64L) * LEAVES * Hash.LENGTH);
        }
    }

    /** A directory of the file's name, with something in it, stands for a file that cannot be deleted now. */
    @Test
    void whatCannotBeDeletedIsTriedAgain() throws Exception {
        try (LeafFiles files = open()) {
            files.keep(0, block(0, 0));
            holds(files, 0, 0);
            Path file;
            try (Stream<Path> all = Files.list(data.resolve(LeafFiles.DIRECTORY))) {
                file = all.filter(one -> one.toString().endsWith(".leaves"))
                        .findFirst()
                        .orElseThrow();
            }
            Files.delete(file);
            Path inside = Files.createDirectory(file).resolve("inside");
            Files.createFile(inside);
            files.drop(0, 70L * LEAVES);
            assertThat(load(files, 0, 0)).isNull();
            assertThat(file).exists();
            Files.delete(inside);
            files.drop(0, 70L * LEAVES);
            assertThat(load(files, 0, 0)).isNull();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void aStartFindsWhatWasKeptAndGoesOn() throws Exception {
        for (int start = 0; start < 4; start++) {
            try (LeafFiles files = open()) {
                for (int before = 0; before < start; before++) {
                    holds(files, 2, 20L * before * LEAVES);
                }
                files.keep(2, block(2, 20L * start * LEAVES));
            }
        }
        try (LeafFiles files = open()) {
            files.drop(2, 40L * LEAVES);
            assertThat(load(files, 2, 0)).as("of the first process").isNull();
            holds(files, 2, 60L * LEAVES);
        }
        try (LeafFiles files = open()) {
            assertThat(load(files, 2, 0)).isNull();
            holds(files, 2, 40L * LEAVES);
        }
    }

    @Test
    void theFilesOfAnotherOwnerOrOfNobodyAreDeleted() throws Exception {
        try (LeafFiles files = open()) {
            files.keep(0, block(0, 0));
        }
        try (LeafFiles files = LeafFiles.open(data, owner(2), Durability.SYNC)) {
            assertThat(load(files, 0, 0)).isNull();
            assertThat(bytes()).isZero();
            files.keep(0, block(0, 0));
            holds(files, 0, 0);
        }
        Files.delete(data.resolve(LeafFiles.DIRECTORY).resolve("owner"));
        try (LeafFiles files = LeafFiles.open(data, owner(2), Durability.SYNC)) {
            assertThat(load(files, 0, 0)).isNull();
            assertThat(bytes()).isZero();
        }
    }

    @Test
    void aServerThatKeepsNothingDeletesWhatIsLeft() throws Exception {
        try (LeafFiles files = open()) {
            files.keep(0, block(0, 0));
        }
        LeafFiles.open(data, owner(1), Durability.MEMORY).close();
        assertThat(bytes()).isZero();
    }

    @Test
    void whatHasNoNameOfAFileOfHashesIsDeleted() throws Exception {
        open().close();
        Path directory = data.resolve(LeafFiles.DIRECTORY);
        for (String name : new String[] {"0-5.leaves", "x-0.leaves", "0--32768.leaves", "99999999999-0.leaves"}) {
            Files.write(directory.resolve(name), new byte[LEAVES * Hash.LENGTH]);
        }
        try (LeafFiles files = open()) {
            assertThat(load(files, 0, 0)).isNull();
            assertThat(bytes()).isZero();
        }
    }

    @Test
    void aDirectoryThatIsGoneIsNoFailure() throws Exception {
        try (LeafFiles files = open()) {
            files.keep(0, block(0, 0));
            holds(files, 0, 0);
            try (Stream<Path> left = Files.list(data.resolve(LeafFiles.DIRECTORY))) {
                for (Path file : left.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(data.resolve(LeafFiles.DIRECTORY));
            assertThat(load(files, 0, 0)).isNull();
            files.keep(0, block(0, 100L * LEAVES));
            assertThat(load(files, 0, 100L * LEAVES)).isNull();
            Files.createDirectory(data.resolve(LeafFiles.DIRECTORY));
            files.keep(0, block(0, 101L * LEAVES));
            holds(files, 0, 101L * LEAVES);
        }
    }

    @Test
    void afterTheEndNothingIsThere() throws Exception {
        LeafFiles files = open();
        files.keep(0, block(0, 0));
        files.close();
        assertThat(load(files, 0, 0)).isNull();
    }
}
