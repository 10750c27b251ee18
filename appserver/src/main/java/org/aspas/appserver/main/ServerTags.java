package org.aspas.appserver.main;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.tag.SessionTags;

/** What an appserver needs of its process to judge tags (docs/tags.md): a clock, chance, and its agreement key. */
final class ServerTags {
    /** One right tag in so many is not believed, and the signature verified; nobody else knows which. */
    private static final int DOUBTED = 64;

    private ServerTags() {}

    static SessionTags of(Descriptor descriptor, NodeDescription self, SigningKey key) {
        SecureRandom random = new SecureRandom();
        return new SessionTags(
                descriptor.id(),
                self.id().index(),
                descriptor.agreements().isEmpty() ? null : AgreementKey.ofServer(key),
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                () -> random.nextInt(DOUBTED) == 0);
    }

    /**
     * Compares what the descriptor says with what follows from the key.
     *
     * @throws IllegalArgumentException when the descriptor has another share
     */
    static void requireShare(NodeDescription self, SigningKey key) {
        AgreementShare described = self.agreement();
        AgreementShare own = AgreementKey.ofServer(key).share();
        if (described != null && !described.equals(own)) {
            throw new IllegalArgumentException("the descriptor has another agreementKey for " + self.id()
                    + " than that which follows from its key: " + own);
        }
    }
}
