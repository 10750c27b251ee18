package org.aspas.certify.wire;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * RESPONSE (paper §3.4): an appserver's signed answer to an update or a read.
 *
 * @param server the index of the appserver that answers
 * @param sequence rises by at least one with every answer of this server to this client
 * @param reference the request number of an update, or the nonce of a read
 * @param result the value of a read; for an update the counter's value after it, or an empty sequence
 * @param dot the dot of an update's entry; absent for a read
 * @param leaf what is answered: the leaf hash of that entry in the server's origin log; for a read the SHA-256 of the
 *     {@link Read} as it was asked, so that the answer cannot be passed off as that to another question
 * @param version the version vector after the operation, or at the read
 * @param roots the digest of all origin log roots at that version ({@code LogRoots.digest})
 * @param certificate the number of the newest certificate the server holds; 0 before the first
 * @param certificateDigest the SHA-256 of that certificate's whole encoding, signatures and all, as this server holds it;
 *     {@code Hash.ZERO} before the first
 */
public record Response(
        int server,
        long sequence,
        ClientId client,
        long reference,
        Value result,
        @Nullable Dot dot,
        Hash leaf,
        VersionVector version,
        Hash roots,
        CertificateNumber certificate,
        Hash certificateDigest)
        implements Message {
    static final Item<Signed<Response>> SIGNED = Item.signed(Response.class);

    static final Schema<Response> SCHEMA = items -> new Response(
            items.index(Response::server),
            items.natural(Response::sequence),
            items.client(Response::client),
            items.natural(Response::reference),
            items.value(Response::result),
            items.optional(Item.DOT, Response::dot),
            items.hash(Response::leaf),
            items.version(Response::version),
            items.hash(Response::roots),
            items.certificate(Response::certificate),
            items.hash(Response::certificateDigest));

    public boolean isUpdate() {
        return dot != null;
    }
}
