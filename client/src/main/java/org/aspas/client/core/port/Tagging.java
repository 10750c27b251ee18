package org.aspas.client.core.port;

import java.util.List;
import java.util.function.Supplier;
import org.aspas.certify.identity.AgreementShare;

/**
 * What a client needs to make tags (docs/tags.md).
 *
 * @param servers the public halves of the appservers' agreement keys, by index; none where the deployment has no tags
 * @param secrets gives 32 random bytes that nobody else can guess, for each session
 */
public record Tagging(List<AgreementShare> servers, Supplier<byte[]> secrets) {
    /** No tags. */
    public static final Tagging NONE = new Tagging(List.of(), () -> new byte[AgreementShare.LENGTH]);

    /** Copies the list. */
    public Tagging {
        servers = List.copyOf(servers);
    }
}
