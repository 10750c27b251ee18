package org.aspas.emulab.baselines.bft;

import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Response;

/**
 * What answers are matched with.
 *
 * @param client who asks; nobody for a read
 * @param reference the request's number, or the nonce of the read
 */
record AskedCommand(ClientId client, boolean update, long reference) {
    /** The question to which this is an answer. */
    static AskedCommand of(Response response) {
        return new AskedCommand(response.client(), response.isUpdate(), response.reference());
    }
}
