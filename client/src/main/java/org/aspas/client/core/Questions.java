package org.aspas.client.core;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.GetCertificate;
import org.aspas.client.core.Failure.NotVerified;

/** The pending questions for certificates. */
final class Questions {
    private record Pending(long ticket, long number, long deadline) {}

    private final CoreSettings.Bounds bounds;
    private final Ticks ticks;
    private final CertificateBook book;
    private final Outbox outbox;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private boolean online;

    Questions(CoreSettings.Bounds bounds, Ticks ticks, CertificateBook book, Outbox outbox) {
        this.bounds = bounds;
        this.ticks = ticks;
        this.book = book;
        this.outbox = outbox;
    }

    void submit(Event.CertificateAsked asked) {
        if (pending.size() >= bounds.reads()) {
            outbox.fail(asked.ticket(), new Failure.Overflow(pending.size() + " questions are pending"));
            return;
        }
        pending.add(new Pending(asked.ticket(), asked.number(), ticks.now() + bounds.readMillis()));
        if (online) {
            outbox.send(new GetCertificate(asked.number()));
        }
    }

    void connected() {
        online = true;
        pending.forEach(one -> outbox.send(new GetCertificate(one.number())));
    }

    void disconnected() {
        online = false;
    }

    void tick() {
        while (!pending.isEmpty() && pending.element().deadline() <= ticks.now()) {
            outbox.fail(pending.remove().ticket(), new Failure.TimedOut(bounds.readMillis()));
        }
    }

    void answered(CertificateReply reply) {
        for (Iterator<Pending> all = pending.iterator(); all.hasNext(); ) {
            Pending one = all.next();
            if (one.number() == reply.number()) {
                all.remove();
                answer(one, reply);
                return;
            }
        }
    }

    private void answer(Pending one, CertificateReply reply) {
        Certificate certificate = reply.certificate();
        if (certificate == null) {
            outbox.add(new Effect.CertificateFound(one.ticket(), null));
            return;
        }
        Optional<NotVerified> wrong = one.number() == 0 || one.number() == certificate.number()
                ? book.verify(certificate)
                : ResponseCheck.wrong(
                        Check.CERTIFICATE, "asked for certificate " + one.number() + ", got " + certificate.number());
        if (wrong.isPresent()) {
            outbox.notVerified(wrong.get());
            outbox.fail(one.ticket(), wrong.get());
        } else {
            outbox.add(new Effect.CertificateFound(one.ticket(), book.genuine(certificate)));
        }
    }

    void end(Failure why) {
        pending.forEach(one -> outbox.fail(one.ticket(), why));
        pending.clear();
    }
}
