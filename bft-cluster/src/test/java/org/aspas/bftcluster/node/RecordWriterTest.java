package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.durable.Ticket;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Epoch;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.signer.RecordItem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk that is full for a while: the bftserver goes on by itself, or halts so that somebody starts it again. */
class RecordWriterTest {
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final ThreadSupervisor supervisor = new ThreadSupervisor(NodeId.bftserver(1));
    private final FullDisk disk = new FullDisk();
    private final List<Event> told = new CopyOnWriteArrayList<>();
    private FileRecord file;

    @BeforeEach
    void open() throws RecordUnusableException {
        file = FileRecord.open(disk, Hash.ZERO, 1, FileRecord.COMPACT_AT);
    }

    @AfterEach
    void close() {
        file.close();
    }

    private RecordWriter writer(Duration patience) {
        return new RecordWriter(NodeId.bftserver(1), file, supervisor, PAUSE, patience);
    }

    private void write(RecordWriter writer, long ticket) {
        RecordItem item =
                ticket == 1 ? new RecordItem.Taught(CertificateNumber.NONE) : new RecordItem.Opened(new Epoch(ticket));
        writer.write(new Effect.Persist(new Ticket(ticket), item), told::add);
    }

    @Test
    void whenTheDiskTakesItemsAgainAllThatWaitedAreDurableInOrder() throws RecordUnusableException {
        try (RecordWriter writer = writer(Duration.ofHours(1))) {
            write(writer, 1);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.size() == 1);
            disk.full = true;
            write(writer, 2);
            write(writer, 3);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(writer::failing);
            assertThat(told).as("nothing is told durable that is not").hasSize(1);
            disk.full = false;
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.size() == 3);
            assertThat(told)
                    .containsExactly(
                            new Event.Persisted(new Ticket(1)),
                            new Event.Persisted(new Ticket(2)),
                            new Event.Persisted(new Ticket(3)));
            assertThat(writer.failing()).isFalse();
        }
        FileRecord again = FileRecord.open(disk, Hash.ZERO, 1, FileRecord.COMPACT_AT);
        assertThat(again.state().knowing()).isTrue();
        assertThat(again.state().epoch()).isEqualTo(new Epoch(3));
        assertThat(supervisor.failure().toCompletableFuture()).isNotDone();
    }

    @Test
    void aDiskThatTakesNothingForTooLongHaltsTheBftserver() throws Exception {
        try (RecordWriter writer = writer(Duration.ofMillis(20))) {
            disk.full = true;
            write(writer, 1);
            write(writer, 2);
            assertThat(supervisor.failure().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .contains("could not be written");
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
