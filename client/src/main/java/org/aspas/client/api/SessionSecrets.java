package org.aspas.client.api;

import java.security.SecureRandom;
import org.aspas.certify.identity.AgreementShare;

/** The private keys of sessions' tags (docs/tags.md). */
final class SessionSecrets {
    private SessionSecrets() {}

    static byte[] fresh() {
        byte[] secret = new byte[AgreementShare.LENGTH];
        new SecureRandom().nextBytes(secret);
        return secret;
    }
}
