package org.aspas.emulab.gatling;

import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.core.CertificateCheck;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.ClientSettings;
import org.aspas.client.core.ClientState;
import org.aspas.client.core.Policy;
import org.aspas.client.core.Tagging;
import org.jspecify.annotations.Nullable;

/**
 * Makes the clients of virtual users: each with a fresh key, staying with its server whatever happens, so that what a server
 * does wrong shows as a failed check and not as a switch. Thread-safe.
 */
final class VirtualClients {
    private static final int UNCONFIRMED = 100_000;
    private static final int UNANSWERED = 1024;
    private static final int READS = 1024;
    private static final int CERTIFICATES = 256;

    private final Descriptor descriptor;
    private final EvidenceJudge judge;
    private final CertificateVerifier verifier;
    private final Map<Hash, Certificate> genuine = new BoundedMap<>(CERTIFICATES);
    private final SecureRandom keys = new SecureRandom();
    private final VerificationCounts counts;

    VirtualClients(Descriptor descriptor, VerificationCounts counts) {
        this.descriptor = descriptor;
        this.counts = counts;
        this.judge = EvidenceJudge.of(descriptor);
        this.verifier =
                new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
    }

    /**
     * A client without a connection.
     *
     * @param tolerance τ: from 1, or 0 for unbounded
     */
    VirtualClient client(int server, long tolerance) {
        byte[] seed = new byte[Ed25519.SEED_LENGTH];
        keys.nextBytes(seed);
        Sealer sealer = new Sealer(SigningKey.of(seed), descriptor.id());
        ClientCore core = new ClientCore(
                settings(server, sealer.publicKey()),
                sealer,
                this::check,
                ClientState.FRESH,
                tolerance,
                new SplittableRandom(server));
        return new VirtualClient(core, tolerance == 0 ? UNCONFIRMED : Math.min(tolerance, UNCONFIRMED), counts);
    }

    private ClientSettings settings(int server, PublicKey key) {
        int keyBytes = descriptor.limits().keyBytes();
        return new ClientSettings(
                descriptor.verifier(),
                judge,
                descriptor.quorums(),
                descriptor.keys(Role.APPSERVER),
                server,
                new ClientId(key, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()), keys.nextLong()),
                new ClientSettings.Bounds(
                        UNCONFIRMED,
                        UNANSWERED,
                        0,
                        READS,
                        keyBytes,
                        descriptor.limits().operationBytes() + keyBytes,
                        FeedScript.PATIENCE.toMillis()),
                Policy.STAY,
                false,
                Tagging.NONE);
    }

    /** Verifies each certificate once for all virtual users of this process, as the client library does. */
    private CertificateCheck.Verdict check(Certificate certificate) {
        Hash hash = certificate.hash();
        Certificate known = known(hash);
        if (known != null) {
            return new CertificateCheck.Verdict.Genuine(known);
        }
        Optional<String> wrong = verifier.verify(certificate);
        if (wrong.isPresent()) {
            return new CertificateCheck.Verdict.Wrong(wrong.get());
        }
        synchronized (genuine) {
            genuine.put(hash, certificate);
        }
        return new CertificateCheck.Verdict.Genuine(certificate);
    }

    private @Nullable Certificate known(Hash hash) {
        synchronized (genuine) {
            return genuine.get(hash);
        }
    }
}
