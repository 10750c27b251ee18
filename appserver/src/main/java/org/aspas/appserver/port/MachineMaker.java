package org.aspas.appserver.port;

import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.port.AppServerMachine;
import org.aspas.appserver.core.port.CoreSettings;

/** Makes the machine that an appserver runs. */
@FunctionalInterface
public interface MachineMaker {
    /** The protocol's own core, which needs no links: what it sends is among its effects. */
    MachineMaker CORE = (settings, records, links) -> AppServerCore.recover(settings, records);

    /**
     * Makes a machine; called once, before the server's ports are bound.
     *
     * @param settings what the server knows of its deployment, with its own key
     * @param records what its store kept, in order
     * @param links the way to other servers, for machines that send what is no message; sends nothing before the server
     *     has started
     */
    AppServerMachine make(CoreSettings settings, Iterable<byte[]> records, PeerTransport links);
}
