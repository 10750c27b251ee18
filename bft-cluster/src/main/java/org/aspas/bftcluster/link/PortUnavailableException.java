package org.aspas.bftcluster.link;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A node cannot listen where its configuration says, usually because another process already does. */
public final class PortUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final InetSocketAddress address;

    public PortUnavailableException(InetSocketAddress address, Throwable cause) {
        super(
                "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + cause.getMessage(),
                cause);
        this.address = address;
    }

    public InetSocketAddress address() {
        return address;
    }
}
