package org.aspas.certify.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What tests hold to the rule: Bouncy Castle always, the native library where it can be loaded, and a third way that none of
 * the two goes.
 */
final class Ed25519Providers {
    private Ed25519Providers() {}

    /** Bouncy Castle's own verification, and R of prime order besides: then the cofactor makes nothing vanish. */
    private record InTheSubgroup(String name) implements Ed25519Provider {
        @Override
        public SignatureScheme.Signer signer(byte[] seed) {
            return new BouncyCastleEd25519().signer(seed);
        }

        @Override
        public Optional<KeyVerifier> prepare(PublicKey key) {
            return BouncyCastleEd25519.cofactored(key)
                    .map(own -> (text, signature) ->
                            own.verify(text, signature) && BouncyCastleEd25519.isOfPrimeOrder(signature, 0));
        }
    }

    static List<Ed25519Provider> all() {
        List<Ed25519Provider> all = new ArrayList<>();
        all.add(new BouncyCastleEd25519());
        all.add(new InTheSubgroup("Bouncy Castle with R in the subgroup"));
        try {
            all.add(CorrettoEd25519.load());
        } catch (IllegalStateException absent) {
            System.out.println("without AmazonCorrettoCryptoProvider: " + absent.getMessage());
        }
        return all;
    }
}
