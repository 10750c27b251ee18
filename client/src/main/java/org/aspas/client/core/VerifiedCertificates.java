package org.aspas.client.core;

import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Read;
import org.aspas.client.core.Failure.NotVerified;
import org.jspecify.annotations.Nullable;

/** The certificates that this client has verified: the newest, and a few before it. */
public final class VerifiedCertificates {
    private static final int KEPT = 32;

    private final ClientSettings settings;
    private final CertificateCheck check;
    private final Step step;
    private final TreeMap<CertificateNumber, Certificate> kept = new TreeMap<>();
    private CertificateNumber highest;
    private @Nullable Certificate advanced;

    /**
     * No certificate was verified yet.
     *
     * @param highest the highest number that earlier runs verified, or none
     */
    public VerifiedCertificates(ClientSettings settings, CertificateCheck check, Step step, CertificateNumber highest) {
        this.settings = settings;
        this.check = check;
        this.step = step;
        this.highest = highest;
    }

    /** The highest number ever verified, also by earlier runs. */
    public CertificateNumber highest() {
        return highest;
    }

    /** The newest certificate of this run. */
    public Optional<Certificate> newest() {
        return Optional.ofNullable(kept.isEmpty() ? null : kept.lastEntry().getValue());
    }

    /** The newest certificate if it came since the last call. */
    public @Nullable Certificate takeAdvanced() {
        Certificate taken = advanced;
        advanced = null;
        return taken;
    }

    /** A verified certificate that is still kept. */
    public @Nullable Certificate get(CertificateNumber number) {
        return kept.get(number);
    }

    /** The instance to use in place of a certificate that {@link #verify} found right. */
    public Certificate genuine(Certificate certificate) {
        return kept.getOrDefault(certificate.number(), certificate);
    }

    /** The verified certificate that an answer's proof is against: the newest that its server has, or the one asked for. */
    public @Nullable Certificate proving(Read read, Answer answer) {
        CertificateNumber wanted = ReadCheck.wanted(read);
        if (!wanted.equals(CertificateNumber.NONE)) {
            return get(wanted);
        }
        return answer.certificate() == null
                ? get(answer.response().message().certificate())
                : genuine(answer.certificate());
    }

    /** Verifies a certificate, which is kept if it is right. */
    public Optional<NotVerified> verify(Certificate certificate) {
        Certificate known = kept.get(certificate.number());
        if (known != null && known.hash().equals(certificate.hash())) {
            return Optional.empty();
        }
        CertificateCheck.Verdict verdict = check.check(certificate);
        if (verdict instanceof CertificateCheck.Verdict.Wrong wrong) {
            return ResponseCheck.wrong(
                    Check.CERTIFICATE, "certificate " + certificate.number() + ": " + wrong.reason());
        }
        Optional<NotVerified> misfit = misfit(certificate, known);
        if (misfit.isEmpty() && verdict instanceof CertificateCheck.Verdict.Genuine genuine) {
            keep(genuine.certificate());
        }
        return misfit;
    }

    private Optional<NotVerified> misfit(Certificate certificate, @Nullable Certificate known) {
        CertificateContent content = certificate.content();
        CertificateNumber number = content.number();
        if (known != null) {
            return ResponseCheck.wrong(Check.CERTIFICATE_FORK, "two certificates have number " + number);
        }
        if (!content.deployment().equals(settings.verifier().deployment())
                || content.version().size() != settings.servers()
                || content.roots().size() != settings.servers()) {
            return ResponseCheck.wrong(Check.CERTIFICATE, "certificate " + number + " is of another deployment");
        }
        Certificate before = kept.get(number.previous());
        Certificate after = kept.get(number.next());
        if (!follows(before, content.previous())
                || (after != null && !follows(certificate, after.content().previous()))) {
            return ResponseCheck.wrong(
                    Check.CERTIFICATE_FORK, "certificate " + number + " does not fit the chain seen so far");
        }
        var lower = kept.lowerEntry(number);
        var higher = kept.higherEntry(number);
        boolean grows = (lower == null
                        || content.version()
                                .dominates(lower.getValue().content().version()))
                && (higher == null || higher.getValue().content().version().dominates(content.version()));
        return grows
                ? Optional.empty()
                : ResponseCheck.wrong(Check.CERTIFICATE_FORK, "the certified version goes back at " + number);
    }

    private static boolean follows(@Nullable Certificate before, Hash previous) {
        return before == null || before.hash().equals(previous);
    }

    private void keep(Certificate certificate) {
        boolean newer = kept.isEmpty() || certificate.number().isAfter(kept.lastKey());
        kept.put(certificate.number(), certificate);
        if (kept.size() > KEPT) {
            kept.pollFirstEntry();
        }
        if (certificate.number().isAfter(highest)) {
            highest = certificate.number();
            step.recordChanged();
        }
        if (newer) {
            advanced = certificate;
            step.add(new Effect.Noticed(new Notice.CertificateAdvanced(certificate)));
        }
    }
}
