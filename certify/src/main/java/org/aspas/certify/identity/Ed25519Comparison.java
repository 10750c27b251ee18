package org.aspas.certify.identity;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ways to compute Ed25519, side by side, for whoever measures them. What a node uses is {@link Ed25519Choice}. */
public final class Ed25519Comparison {
    private Ed25519Comparison() {}

    /**
     * One way to compute Ed25519.
     *
     * @param name the library and its version
     * @param byTheRule whether it passes the self-test; one that does not must verify nothing but measurements
     */
    public record Library(String name, boolean byTheRule, SignatureScheme scheme) {}

    /** Bouncy Castle's own verification, with the cofactor. */
    private record Cofactored(Ed25519Provider signing) implements Ed25519Provider {
        @Override
        public String name() {
            return signing.name() + " with the cofactor";
        }

        @Override
        public SignatureScheme.Signer signer(byte[] seed) {
            return signing.signer(seed);
        }

        @Override
        public Optional<KeyVerifier> prepare(PublicKey key) {
            return BouncyCastleEd25519.cofactored(key);
        }
    }

    /** All that can be loaded here: Bouncy Castle first, by the rule and by its own, then the native one, then the JDK's. */
    public static List<Library> all() {
        Ed25519Provider bouncyCastle = new BouncyCastleEd25519();
        List<Ed25519Provider> providers = new ArrayList<>(List.of(new Cofactored(bouncyCastle), bouncyCastle));
        try {
            providers.add(CorrettoEd25519.load());
        } catch (IllegalStateException | LinkageError absent) {
            // Then it is not compared.
        }
        Provider ofTheJdk = Security.getProvider("SunEC");
        if (ofTheJdk != null) {
            try {
                providers.add(new JcaEd25519(ofTheJdk, bouncyCastle));
            } catch (GeneralSecurityException absent) {
                // Then it is not compared.
            }
        }
        return providers.stream()
                .map(provider -> new Library(
                        provider.name(), Ed25519SelfTest.failure(provider).isEmpty(), new Ed25519(provider)))
                .toList();
    }
}
