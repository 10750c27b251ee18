package org.aspas.appserver.core.session;

import java.util.Optional;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;

/** Answers reads: of the live view on this server's word, or of the certified state with a proof. For one thread. */
final class ClientReads extends CorePart {
    /** How many reads a connection without a session may make at once, and each second. */
    private static final long READS_AT_ONCE = 100;

    private static final long READS_PER_SECOND = 20;
    /** A read of more bytes counts as several. */
    private static final long BYTES_PER_READ = 16 << 10;
    /** A larger object is not read: its value is not even made. */
    private static final long MOST_READ_BYTES = 4 * ObjectStore.FULL_BYTES;
    /** A page takes no more than about so many bytes. */
    private static final long MOST_PART_BYTES = 256 << 10;

    /** For how many such connections at that rate the server works at all. */
    private static final long SESSIONLESS_READERS = 20;

    private final Logs logs;
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final ResponseSealer responses;
    private final TokenBucket allSessionless = new TokenBucket(
            READS_AT_ONCE * SESSIONLESS_READERS, READS_PER_SECOND * SESSIONLESS_READERS, Long.MIN_VALUE / 2);

    ClientReads(CoreState context, Logs logs, ObjectStore objects, CertifiedHistory history, ResponseSealer responses) {
        super(context);
        this.logs = logs;
        this.objects = objects;
        this.history = history;
        this.responses = responses;
    }

    /** The reads that one connection may make before a session is open. */
    TokenBucket sessionless() {
        return new TokenBucket(READS_AT_ONCE, READS_PER_SECOND, time.now());
    }

    Optional<Refusal> read(ClientConnection connection, Read read) {
        if (connection.client == null && !mayRead(connection, read)) {
            return refusal(read, Reason.TOO_OFTEN, "open a session, or wait and ask again");
        }
        Optional<String> known = objects.type(read.key());
        if (DataTypes.byName(read.type()).isEmpty()) {
            return refusal(read, Reason.WRONG_TYPE, "there is no such datatype");
        }
        if (known.isPresent() && !known.get().equals(read.type())) {
            return refusal(read, Reason.WRONG_TYPE, "the object is of type " + known.get());
        }
        if (read.part() == null && objects.bytes(read.key(), read.type()) > MOST_READ_BYTES) {
            return refusal(
                    read,
                    Reason.TOO_LARGE,
                    "the value is longer than " + MOST_READ_BYTES + " bytes; ask for a page or an element");
        }
        if (outbox.full(settings.limits().maxUnanswered())) {
            return refusal(read, Reason.BUSY, "too much waits for this server's disk");
        }
        return read.certified() ? readCertified(connection, read) : readLive(connection, read);
    }

    /** A read without a session costs more the longer the value is; nobody looks at the object before the first part is paid. */
    private boolean mayRead(ClientConnection connection, Read read) {
        if (!pay(connection, 1)) {
            return false;
        }
        long bytes = Math.min(
                objects.bytes(read.key(), read.type()), read.part() == null ? Long.MAX_VALUE : MOST_PART_BYTES);
        long more = Math.min(READS_AT_ONCE - 1, bytes / BYTES_PER_READ);
        return more == 0 || pay(connection, more);
    }

    private boolean pay(ClientConnection connection, long cost) {
        return connection.sessionlessReads.take(cost, time.now()) && allSessionless.take(cost, time.now());
    }

    private Optional<Refusal> readLive(ClientConnection connection, Read read) {
        if (!condition.serves()) {
            return refusal(read, Reason.BUSY, "this server cannot vouch for its state now");
        }
        VersionVector version = logs.version();
        Optional<Value> value = objects.liveValue(read.key(), read.type(), read.part());
        if (value.isEmpty()) {
            return refusal(read, Reason.BAD_OPERATION, "pages are certified ones, of types that have elements");
        }
        responses.answer(
                connection, responses.read(connection, read, value.get(), version, logs.rootsAt(version)), null);
        counters.count("reads_local");
        return Optional.empty();
    }

    private Optional<Refusal> readCertified(ClientConnection connection, Read read) {
        Optional<Certificate> newest = history.newest();
        if (read.certificate().isAfter(history.number())) {
            return refusal(read, Reason.BEHIND, "this server has certificate " + history.number());
        }
        if (newest.isEmpty()) {
            return refusal(read, Reason.NO_CERTIFICATE, "there is no certificate yet");
        }
        Optional<Certificate> wanted = history.find(asked(read));
        Optional<ObjectStore.Proved> found = wanted.flatMap(
                certificate -> objects.prove(read.key(), read.type(), read.part(), certificate.number()));
        if (found.isEmpty()) {
            return asked(read).equals(CertificateNumber.NONE)
                    ? refusal(read, Reason.BAD_OPERATION, "this type has no elements")
                    : refusal(read, Reason.MOVED_ON, "certificate " + asked(read) + " is too old: begin anew");
        }
        Certificate certificate = wanted.orElseThrow();
        Signed<Response> response = responses.read(
                connection,
                read,
                found.get().value(),
                certificate.content().version(),
                certificate.content().roots());
        responses.answer(connection, response, found.get().proof());
        counters.count("reads_certified");
        return Optional.empty();
    }

    /** The certificate of which a page is wanted; none for the newest. */
    private static CertificateNumber asked(Read read) {
        ReadPart part = read.part();
        return part == null ? CertificateNumber.NONE : part.certificate();
    }

    private static Optional<Refusal> refusal(Read read, Reason reason, String detail) {
        return Optional.of(new Refusal(read.nonce(), true, reason, detail));
    }
}
