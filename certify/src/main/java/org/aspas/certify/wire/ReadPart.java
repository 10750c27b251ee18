package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Which part of an object a {@link Read} asks for: one element, or a page. Exactly one of the two is present.
 *
 * @param element the element; the answer has it if it is in the object, and nothing else
 * @param from the path (docs/formats.md, §6) with which the page begins: of all elements whose paths are not before it, the
 *     answer has as many as a page takes. 32 zero bytes for the first page
 * @param certificate the number of the certificate whose elements are asked for, so that pages fit together; 0 for the
 *     newest, and for an element
 */
public record ReadPart(@Nullable Value element, @Nullable Hash from, CertificateNumber certificate) {
    static final Item<ReadPart> ITEM = Item.array(items -> new ReadPart(
            items.optional(Item.VALUE, ReadPart::element),
            items.optional(Item.HASH, ReadPart::from),
            items.certificate(ReadPart::certificate)));

    /**
     * Checks that one part is named.
     *
     * @throws IllegalArgumentException when there is none, or two, or an element of a certain certificate
     */
    public ReadPart {
        if ((element == null) == (from == null) || (element != null && !certificate.equals(CertificateNumber.NONE))) {
            throw new IllegalArgumentException("a part is an element or a page");
        }
    }

    public static ReadPart element(Value element) {
        return new ReadPart(element, null, CertificateNumber.NONE);
    }

    /** The page that begins with a path, of a certificate or of the newest. */
    public static ReadPart page(Hash from, CertificateNumber certificate) {
        return new ReadPart(null, from, certificate);
    }
}
