package org.aspas.client.core;

import java.util.List;
import java.util.function.Supplier;
import org.aspas.certify.identity.AgreementShare;

/**
 * What a client needs to make tags (docs/tags.md).
 *
 * @param servers the public halves of the appservers' agreement keys, by index; none where the deployment has no tags
 * @param secrets gives 32 random bytes that nobody else can guess, for each session
 * @param keyMillis how long a session has one key for its tags
 * @param worthwhile for which request of a session the secrets with the appservers are made: before that signatures cost them less
 */
public record Tagging(List<AgreementShare> servers, Supplier<byte[]> secrets, long keyMillis, int worthwhile) {
    private static final long KEY_MILLIS = 3_000_000;
    private static final int WORTHWHILE = 5;

    public static final Tagging NONE = new Tagging(List.of(), () -> new byte[AgreementShare.LENGTH]);

    /** With the usual bounds. */
    public Tagging(List<AgreementShare> servers, Supplier<byte[]> secrets) {
        this(servers, secrets, KEY_MILLIS, WORTHWHILE);
    }

    public Tagging {
        servers = List.copyOf(servers);
    }
}
