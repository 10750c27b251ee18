package org.aspas.certify.identity;

import java.util.ArrayList;
import java.util.List;

/** What tests hold to the rule: Bouncy Castle always, and the native library where it can be loaded. */
final class Ed25519Providers {
    private Ed25519Providers() {}

    static List<Ed25519Provider> all() {
        List<Ed25519Provider> all = new ArrayList<>();
        all.add(new BouncyCastleEd25519());
        try {
            all.add(CorrettoEd25519.load());
        } catch (IllegalStateException absent) {
            System.out.println("without AmazonCorrettoCryptoProvider: " + absent.getMessage());
        }
        return all;
    }
}
