package org.aspas.certify.wire;

import java.util.Arrays;

/**
 * A client's request with its tags, on its way to the home (docs/tags.md). The home enters the request alone, and gives each other appserver
 * its tag beside the entry.
 *
 * @param tags one for each appserver in order, {@value #TAG_BYTES} bytes each, zeros for none; not copied, never to be changed
 */
public record TaggedRequest(Signed<Request> request, byte[] tags) implements Message {
    static final Schema<TaggedRequest> SCHEMA = items -> new TaggedRequest(
            items.of(Request.SIGNED, TaggedRequest::request), items.of(Item.TAGS, TaggedRequest::tags));

    public static final int TAG_BYTES = 16;

    @Override
    public boolean equals(Object other) {
        return other instanceof TaggedRequest that && request.equals(that.request) && Arrays.equals(tags, that.tags);
    }

    @Override
    public int hashCode() {
        return request.hashCode();
    }
}
