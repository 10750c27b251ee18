package org.aspas.appserver.core.certification;

import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.certificate.CertificateChain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** The certificates that this server adopted: the newest one, and those before it that are kept. For one thread. */
public final class CertifiedHistory {
    private final TreeMap<CertificateNumber, Certificate> retained = new TreeMap<>();
    private @Nullable Certificate newest;
    private Hash digest = Hash.ZERO;
    private VersionVector certified;
    private CertificateNumber required = CertificateNumber.NONE;
    /** The certificate that came with its state; none where all came one after the other. */
    private CertificateNumber begun = CertificateNumber.NONE;

    public CertifiedHistory(int servers) {
        this.certified = VersionVector.zero(servers);
    }

    public Optional<Certificate> newest() {
        return Optional.ofNullable(newest);
    }

    /** The number of the newest adopted certificate. */
    public CertificateNumber number() {
        return newest == null ? CertificateNumber.NONE : newest.number();
    }

    /** The digest of the whole newest adopted certificate; {@code Hash.ZERO} before the first. */
    public Hash digest() {
        return digest;
    }

    /** What is certified up to this certificate was here and is gone: only a snapshot at it or a later one is of use. */
    public void require(CertificateNumber number) {
        required = number.isAfter(required) ? number : required;
    }

    /** The least certificate at which this server can go on; none when it can from any. */
    public CertificateNumber required() {
        return required;
    }

    /** Whether the server cannot go on from what it has. */
    public boolean incomplete() {
        return required.isAfter(number());
    }

    public VersionVector certified() {
        return certified;
    }

    /** A retained certificate; no number names the newest. */
    public Optional<Certificate> find(CertificateNumber number) {
        return number.equals(CertificateNumber.NONE) ? newest() : Optional.ofNullable(retained.get(number));
    }

    public CertificateReply reply(GetCertificate asked) {
        return new CertificateReply(asked.number(), find(asked.number()).orElse(null));
    }

    /**
     * The answer to a peer that asks for a certificate: one that it cannot adopt by what is here, since the entries that it added came
     * as a state, is none. So the peer gets that state.
     */
    public CertificateReply peerReply(GetCertificate asked) {
        boolean stateAlone = !asked.number().equals(CertificateNumber.NONE) && beganWith(asked.number());
        return stateAlone ? new CertificateReply(asked.number(), null) : reply(asked);
    }

    /** Whether the state of this certificate came as a whole, from a snapshot or a base, without the entries. */
    public boolean beganWith(CertificateNumber number) {
        return number.equals(begun);
    }

    /** The version of a retained certificate; zero before the first. */
    public Optional<VersionVector> versionAt(CertificateNumber number) {
        if (number.equals(CertificateNumber.NONE)) {
            boolean whole = begun.equals(CertificateNumber.NONE)
                    && (retained.isEmpty() || retained.firstKey().equals(CertificateNumber.FIRST));
            return whole ? Optional.of(VersionVector.zero(certified.size())) : Optional.empty();
        }
        return Optional.of(number)
                .flatMap(this::find)
                .map(certificate -> certificate.content().version());
    }

    /** Where a certificate does not follow the newest one, if so. */
    Optional<CertificateChain.Break> broken(Certificate next) {
        if (newest != null) {
            return CertificateChain.wrong(newest, next);
        }
        return next.number().equals(CertificateNumber.FIRST)
                ? Optional.empty()
                : Optional.of(CertificateChain.Break.NUMBER);
    }

    void adopted(Certificate next) {
        newest = next;
        digest = Digests.certificate(next);
        certified = next.content().version();
        retained.put(next.number(), next);
    }

    public void forgetBefore(CertificateNumber oldest) {
        retained.headMap(oldest, false).clear();
    }

    public int size() {
        return retained.size();
    }

    /** A snapshot was installed: this certificate is the newest, and those before it are not here. */
    void installed(Certificate certificate) {
        retained.clear();
        begun = certificate.number();
        adopted(certificate);
    }
}
