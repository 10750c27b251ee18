package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Epoch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full for a while: the bftserver goes on by itself, or halts so that somebody starts it again. */
class RecordWriterTest {
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final ThreadSupervisor supervisor = new ThreadSupervisor(NodeId.bftserver(1));
    private final List<Event> told = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private FullFiles disk;
    private DurableRecord record;

    @BeforeEach
    void open() throws IOException {
        disk = new FullFiles(DirectoryFiles.open(directory));
        record = DurableRecord.open(disk, Hash.ZERO, 1, DurableRecord.LIMITS);
    }

    @AfterEach
    void close() {
        record.close();
    }

    private RecordWriter writer(Duration patience) {
        return new RecordWriter(NodeId.bftserver(1), record, supervisor, told::add, PAUSE, patience);
    }

    private static void write(RecordWriter writer, long ticket) {
        RecordItem item =
                ticket == 1 ? new RecordItem.Taught(CertificateNumber.NONE) : new RecordItem.Opened(new Epoch(ticket));
        writer.write(new Effect.Persist(new Ticket(ticket), item));
    }

    @Test
    void whenTheDiskTakesItemsAgainAllThatWaitedAreDurableInOrder() throws IOException {
        try (RecordWriter writer = writer(Duration.ofHours(1))) {
            write(writer, 1);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.size() == 1);
            disk.full = true;
            write(writer, 2);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(writer::failing);
            for (long ticket = 3; ticket <= 100; ticket++) {
                write(writer, ticket);
            }
            assertThat(told).as("nothing is told durable that is not").hasSize(1);
            int forces = disk.forces.get();
            disk.full = false;
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> told.contains(new Event.Persisted(new Ticket(100))));
            assertThat(told)
                    .containsExactly(
                            new Event.Persisted(new Ticket(1)),
                            new Event.Persisted(new Ticket(2)),
                            new Event.Persisted(new Ticket(100)));
            assertThat(disk.forces.get() - forces)
                    .as("a segment, its manifest, and one sync for all that waited")
                    .isEqualTo(3);
            assertThat(writer.failing()).isFalse();
        }
        try (DurableRecord again =
                DurableRecord.open(DirectoryFiles.open(directory), Hash.ZERO, 1, DurableRecord.LIMITS)) {
            assertThat(again.state().knowing()).isTrue();
            assertThat(again.state().epoch()).isEqualTo(new Epoch(100));
        }
        assertThat(supervisor.failure().toCompletableFuture()).isNotDone();
    }

    @Test
    void aDiskThatTakesNothingForTooLongHaltsTheBftserver() throws Exception {
        try (RecordWriter writer = writer(Duration.ofMillis(20))) {
            disk.full = true;
            write(writer, 1);
            assertThat(supervisor.failure().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .contains("could not be written");
            write(writer, 2);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.size() == 2);
            assertThat(told).allMatch(Event.RecordFailed.class::isInstance);
            assertThat(writer.failing()).isTrue();
        }
    }

    @Test
    void closingWaitsForNoFullDisk() {
        RecordWriter writer = writer(Duration.ofHours(1));
        disk.full = true;
        write(writer, 1);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(writer::failing);
        writer.close();
        assertThat(told).allMatch(Event.RecordFailed.class::isInstance);
    }
}
