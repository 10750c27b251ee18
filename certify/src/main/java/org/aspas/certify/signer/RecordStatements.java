package org.aspas.certify.signer;

import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;

/** What one replica says of its durable record, and when (the protocol page, docs/protocol.md §5.5). Not thread-safe. */
final class RecordStatements {
    private final int replica;
    private final Hash start;
    private final RecordState record;
    private final Consumer<Recover> submit;
    private boolean joined;
    /** What the record proved at the last {@link #remind} and the order had not decided. */
    private CertificateNumber unheard = CertificateNumber.NONE;

    RecordStatements(int replica, Hash start, RecordState record, Consumer<Recover> submit) {
        this.replica = replica;
        this.start = start;
        this.record = record;
        this.submit = submit;
    }

    /** Says what the record holds about a number. */
    void say(CertificateNumber number) {
        say(Hash.ZERO, number);
    }

    /** Tells a replica that asks for its record what this one holds of the newest number. */
    void answer(Hash asking) {
        say(asking, record.newest());
    }

    private void say(Hash answers, CertificateNumber number) {
        submit.accept(new Recover(
                replica,
                start,
                answers,
                record.knowing(),
                record.epoch(),
                number,
                record.attempt(number),
                record.newestProven().orElse(null)));
    }

    /** A statement of this replica came out ordered. */
    void ordered(Recover own) {
        joined |= own.start().equals(start) && own.knowing();
    }

    /** Says what the record holds, until it has come out ordered in this life that it is complete. */
    void join() {
        if (!joined) {
            say(record.newest());
        }
    }

    /** Says what the record proves of a number, if it does; whether it does. */
    boolean show(CertificateNumber number) {
        boolean proves = record.proven(number).isPresent();
        if (proves) {
            say(number);
        }
        return proves;
    }

    /** Says what is proved beyond what the order has decided, if it was at the last call, too. */
    void remind(CertificateNumber decided) {
        CertificateNumber proven =
                record.newestProven().map(ProvenContent::number).orElse(CertificateNumber.NONE);
        boolean ahead = proven.isAfter(decided);
        if (ahead && proven.equals(unheard)) {
            say(proven);
        }
        unheard = ahead ? proven : CertificateNumber.NONE;
    }
}
