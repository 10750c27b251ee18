package org.aspas.certify.tag;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Signed;

/** One session of a client as far as tags go: makes those of a request, one for each appserver. Immutable. */
public final class RequestTags {
    private final List<Optional<TagKey>> keys;

    private RequestTags(List<Optional<TagKey>> keys) {
        this.keys = keys;
    }

    /**
     * The keys of a session.
     *
     * @param own the key whose public half is in the session record
     * @param servers the public halves of the appservers, by index
     * @param session the hash of the signed session record
     */
    public static RequestTags of(AgreementKey own, List<AgreementShare> servers, Hash deployment, Hash session) {
        List<Optional<TagKey>> keys = new ArrayList<>();
        for (int server = 0; server < servers.size(); server++) {
            keys.add(TagKey.agreed(own, servers.get(server), deployment, session, server));
        }
        return new RequestTags(List.copyOf(keys));
    }

    /** The tags of a request, in order of the appservers; zeros for one with which there is no secret. */
    public byte[] of(Signed<? extends ClientSigned> request) {
        byte[] tags = new byte[keys.size() * TagKey.LENGTH];
        for (int server = 0; server < keys.size(); server++) {
            int place = server * TagKey.LENGTH;
            keys.get(server).ifPresent(key -> key.write(request, tags, place));
        }
        return tags;
    }
}
