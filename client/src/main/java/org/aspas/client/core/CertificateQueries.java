package org.aspas.client.core;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.client.core.Failure.NotVerified;

/** The pending questions for certificates. */
public final class CertificateQueries {
    private record Pending(CallId call, CertificateNumber number, long deadline) {}

    private final ClientSettings.Bounds bounds;
    private final VerifiedCertificates certificates;
    private final Step step;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private boolean online;

    public CertificateQueries(ClientSettings.Bounds bounds, VerifiedCertificates certificates, Step step) {
        this.bounds = bounds;
        this.certificates = certificates;
        this.step = step;
    }

    public void submit(Event.CertificateAsked asked) {
        Optional<String> fault = CallCheck.certificate(asked.number());
        if (fault.isPresent()) {
            step.fail(asked.call(), new Failure.Invalid(fault.get()));
            return;
        }
        if (pending.size() >= bounds.reads()) {
            step.fail(asked.call(), new Failure.Overflow(pending.size() + " questions are pending"));
            return;
        }
        pending.add(new Pending(asked.call(), asked.number(), step.now() + bounds.readMillis()));
        if (online) {
            step.send(new GetCertificate(asked.number()));
        }
    }

    /** The present server can be asked. */
    public void connected() {
        online = true;
        pending.forEach(one -> step.send(new GetCertificate(one.number())));
    }

    /** The next connection gets the questions again. */
    public void disconnected() {
        online = false;
    }

    /** Fails what is overdue. */
    public void tick() {
        while (!pending.isEmpty() && pending.element().deadline() <= step.now()) {
            step.fail(pending.remove().call(), new Failure.TimedOut(bounds.readMillis()));
        }
    }

    public void answered(CertificateReply reply) {
        for (Iterator<Pending> all = pending.iterator(); all.hasNext(); ) {
            Pending one = all.next();
            if (one.number().equals(reply.number())) {
                all.remove();
                answer(one, reply);
                return;
            }
        }
    }

    private void answer(Pending one, CertificateReply reply) {
        Certificate certificate = reply.certificate();
        if (certificate == null) {
            step.add(new Effect.CertificateFound(one.call(), null));
            return;
        }
        Optional<NotVerified> wrong = one.number().equals(CertificateNumber.NONE)
                        || one.number().equals(certificate.number())
                ? certificates.verify(certificate)
                : Optional.of(new NotVerified(
                        Check.CERTIFICATE, "asked for certificate " + one.number() + ", got " + certificate.number()));
        if (wrong.isPresent()) {
            step.notVerified(wrong.get());
            step.fail(one.call(), wrong.get());
        } else {
            step.add(new Effect.CertificateFound(one.call(), certificates.genuine(certificate)));
        }
    }

    public void end(Failure why) {
        pending.forEach(one -> step.fail(one.call(), why));
        pending.clear();
    }
}
