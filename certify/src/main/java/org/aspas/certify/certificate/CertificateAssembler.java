package org.aspas.certify.certificate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Certificate.ReplicaSignature;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;

/**
 * Makes certificates of the shares that bftservers push (the protocol page, docs/protocol.md §5.6). It keeps at most one
 * verified share per replica and number, for a window of numbers after the newest certificate that its owner adopted;
 * whoever is further behind asks for certificates instead. Each signature is verified once. Not thread-safe.
 */
public final class CertificateAssembler {
    /** For how many numbers after the newest adopted certificate shares are kept. */
    public static final int WINDOW = 16;

    private final CertificateVerifier verifier;
    private final Map<CertificateNumber, Map<Integer, Signed<CertificateContent>>> shares = new TreeMap<>();
    private final TreeSet<CertificateNumber> complete = new TreeSet<>();
    private CertificateNumber adopted = CertificateNumber.NONE;

    /** An assembler that expects certificate 1 first. */
    public CertificateAssembler(CertificateVerifier verifier) {
        this.verifier = verifier;
    }

    /**
     * Says that its owner holds the certificate with this number and all before it, so that their shares are of no more
     * use. A lower number than before changes nothing.
     */
    public void adopted(CertificateNumber number) {
        adopted = CertificateNumber.max(adopted, number);
        shares.keySet().removeIf(held -> !held.isAfter(adopted));
        complete.headSet(adopted, true).clear();
    }

    /**
     * Takes one share.
     *
     * @param share what a bftserver sent; may be anything
     * @return the certificate when this share completes it, which happens once per number; otherwise empty
     */
    public Optional<Certificate> add(Share share) {
        Signed<CertificateContent> content = share.content();
        CertificateNumber number = content.message().number();
        if (!number.isAfter(adopted) || number.value() - adopted.value() > WINDOW || complete.contains(number)) {
            return Optional.empty();
        }
        Map<Integer, Signed<CertificateContent>> known = shares.getOrDefault(number, Map.of());
        if (known.containsKey(share.replica()) || !valid(share)) {
            return Optional.empty();
        }
        Map<Integer, Signed<CertificateContent>> held = shares.computeIfAbsent(number, any -> new TreeMap<>());
        held.put(share.replica(), content);
        return assemble(number, content, held);
    }

    private boolean valid(Share share) {
        Signed<CertificateContent> content = share.content();
        return verifier.verifyContent(content.message()).isEmpty() && verifier.signed(share.replica(), content);
    }

    private Optional<Certificate> assemble(
            CertificateNumber number,
            Signed<CertificateContent> content,
            Map<Integer, Signed<CertificateContent>> held) {
        List<ReplicaSignature> signatures = new ArrayList<>();
        held.forEach((replica, one) -> {
            if (one.identity().equals(content.identity())) {
                signatures.add(new ReplicaSignature(replica, one.signature()));
            }
        });
        if (signatures.size() < verifier.quorum()) {
            return Optional.empty();
        }
        Certificate certificate = new Certificate(content.message(), content.payload(), signatures);
        shares.remove(number);
        complete.add(number);
        return Optional.of(certificate);
    }
}
