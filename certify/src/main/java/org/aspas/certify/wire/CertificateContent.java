package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;

/**
 * What a certificate certifies (the protocol page, §2).
 *
 * @param number from 1, contiguous
 * @param previous the hash of the content of certificate {@code number - 1}; {@code Hash.ZERO} for the first
 * @param version LV', the certified version
 * @param roots the root of every origin log at that version
 * @param state the root of the state tree at that version
 * @param exclusions the blacklist with the cut of each excluded origin, in origin order
 */
public record CertificateContent(
        Hash deployment,
        CertificateNumber number,
        Hash previous,
        VersionVector version,
        List<Hash> roots,
        Hash state,
        List<Exclusion> exclusions)
        implements Message {
    static final Item<Signed<CertificateContent>> SIGNED = Item.signed(CertificateContent.class);

    static final Schema<CertificateContent> SCHEMA = items -> new CertificateContent(
            items.hash(CertificateContent::deployment),
            new CertificateNumber(items.positive(content -> content.number().value())),
            items.hash(CertificateContent::previous),
            items.version(CertificateContent::version),
            items.of(Item.ROOTS, CertificateContent::roots),
            items.hash(CertificateContent::state),
            items.of(Exclusion.LIST, CertificateContent::exclusions));

    public CertificateContent {
        roots = List.copyOf(roots);
        exclusions = List.copyOf(exclusions);
    }

    /**
     * An excluded origin.
     *
     * @param cut its last sequence number that stays valid: everywhere a component of this origin is read as the smaller
     *     of its value and the cut
     * @param evidence the SHA-256 of the encoding of the evidence that convicted it
     */
    public record Exclusion(int origin, long cut, Hash evidence) {
        static final Item<Exclusion> ITEM = Item.array(items -> new Exclusion(
                items.index(Exclusion::origin), items.natural(Exclusion::cut), items.hash(Exclusion::evidence)));

        /** The exclusions of a certificate. */
        static final Item<List<Exclusion>> LIST = Item.list(CborReader.MAX_ORIGINS, ITEM);
    }
}
