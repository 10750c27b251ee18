package org.aspas.appserver.peer;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;

/**
 * Verifies the signatures of heads, and remembers the newest right ones of each origin: every peer tells of the same ones.
 * Thread-safe.
 */
final class VerifiedHeads {
    private static final int REMEMBERED = 16;

    private final Descriptor descriptor;
    private final int origins;
    /** Of each origin a row, in which a head has its place by its size. */
    private final AtomicReferenceArray<Signed<Head>> right;

    VerifiedHeads(Descriptor descriptor) {
        this.descriptor = descriptor;
        this.origins = descriptor.quorums().appservers();
        this.right = new AtomicReferenceArray<>(origins * REMEMBERED);
    }

    /** Whether a head is signed by its origin, which is an appserver of the deployment. */
    boolean genuine(Signed<Head> head) {
        int origin = head.message().origin();
        if (origin < 0 || origin >= origins) {
            return false;
        }
        int place = origin * REMEMBERED + (int) Math.floorMod(head.message().size(), (long) REMEMBERED);
        Signed<Head> known = right.get(place);
        if (known != null && head.verifiedAs(known)) {
            return true;
        }
        NodeId signer = NodeId.appserver(origin);
        if (!head.verify(descriptor.verifier(), descriptor.node(signer).key(), Domain.HEAD)) {
            return false;
        }
        right.set(place, head);
        return true;
    }
}
