package org.aspas.appserver.core;

import java.nio.ByteBuffer;
import org.aspas.appserver.core.broadcast.EntryIntake;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.certification.LogsCut;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.port.BatchOutcome;
import org.aspas.appserver.core.session.Delivery;
import org.aspas.appserver.core.step.Records;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertifiedEntries;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Message;

/** Does again what the records of a store say that the server did, in order. For one thread. */
final class RecordReplay {
    private final Logs logs;
    private final EntryIntake intake;
    private final CertifiedHistory history;
    private final Certification certification;
    private final Adoption adoption;
    private final Delivery delivery;
    private final EvidencePool evidence;
    private long starts;

    RecordReplay(
            Logs logs,
            EntryIntake intake,
            CertifiedHistory history,
            Certification certification,
            Adoption adoption,
            Delivery delivery,
            EvidencePool evidence) {
        this.logs = logs;
        this.intake = intake;
        this.history = history;
        this.certification = certification;
        this.adoption = adoption;
        this.delivery = delivery;
        this.evidence = evidence;
    }

    /** How often the server started before. */
    long starts() {
        return starts;
    }

    /**
     * Takes the next record.
     *
     * @throws IllegalStateException when it is not one of this server after those before it
     */
    void take(byte[] record) {
        if (record.length == 0) {
            throw new IllegalStateException("the store holds an empty record");
        }
        byte[] body = Records.body(record);
        switch (record[0]) {
            case Records.OWN_ENTRY -> logs.restoreOwn(body);
            case Records.BATCH -> restore(stored(body, Batch.class));
            case Records.CERTIFIED_ENTRIES -> intake.restore(stored(body, CertifiedEntries.class));
            case Records.CERTIFICATE -> restore(stored(body, Certificate.class));
            case Records.EXCLUSION ->
                delivery.takeBack(certification.restoreExclusion(stored(body, Certificate.class)));
            case Records.TAKEN_BACK -> {
                LogsCut.End end = takenBack(body);
                delivery.takeBack(certification.restoreTakenBack(end.origin(), end.kept()));
            }
            case Records.EVIDENCE -> evidence.take(stored(body, Evidence.class));
            case Records.START -> starts++;
            default -> throw new IllegalStateException("the store holds a record of kind " + record[0]);
        }
        delivery.deliver();
    }

    private void restore(Batch batch) {
        BatchOutcome outcome = intake.accept(batch);
        if (outcome != BatchOutcome.ADDED) {
            throw new IllegalStateException("a stored batch is " + outcome);
        }
    }

    private void restore(Certificate certificate) {
        certification.restore(certificate);
        adoption.certify();
        if (!history.number().equals(certificate.number())) {
            throw new IllegalStateException(
                    "the stored certificate " + certificate.number() + " does not follow from the stored entries");
        }
    }

    private static LogsCut.End takenBack(byte[] body) {
        if (body.length != Integer.BYTES + Long.BYTES) {
            throw new IllegalStateException("the store holds a malformed record of an end that was taken back");
        }
        ByteBuffer taken = ByteBuffer.wrap(body);
        return new LogsCut.End(taken.getInt(), taken.getLong());
    }

    private static <M extends Message> M stored(byte[] body, Class<M> type) {
        return Codec.decode(body, type)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("the store holds a malformed " + type.getSimpleName()));
    }
}
