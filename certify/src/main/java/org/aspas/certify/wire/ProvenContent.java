package org.aspas.certify.wire;

import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.Hash;

/**
 * A content with the signed ACCEPTs of 2b+1 replicas for one attempt: whoever holds it can show to anybody that no other
 * content was accepted in that attempt (the protocol page, §5.5).
 *
 * @param payload its exact bytes, whose hash the ACCEPTs name
 * @param accepts in order of replica index, each index once, all for one number, attempt and hash
 */
public record ProvenContent(CertificateContent content, byte[] payload, List<Signed<Accept>> accepts)
        implements Message {
    static final Item<ProvenContent> ITEM = Item.message(ProvenContent.class);

    private static final Item<List<Signed<Accept>>> ACCEPTS =
            Item.ascending(Accept.SIGNED, accept -> accept.message().replica());

    static final Schema<ProvenContent> SCHEMA = items -> {
        byte[] payload = items.binary(ProvenContent::payload);
        return new ProvenContent(
                items.inside(payload, CertificateContent.class, ProvenContent::content),
                payload,
                items.of(ACCEPTS, ProvenContent::accepts));
    };

    public ProvenContent {
        accepts = List.copyOf(accepts);
    }

    public CertificateNumber number() {
        return content.number();
    }

    public Hash hash() {
        return Hash.sha256(payload);
    }

    /** The attempt that the ACCEPTs name; 0 when there is none. */
    public long attempt() {
        return accepts.isEmpty() ? 0 : accepts.get(0).message().attempt();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ProvenContent that
                && Arrays.equals(payload, that.payload)
                && accepts.equals(that.accepts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(payload);
    }
}
