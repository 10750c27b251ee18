/** The second tier: the application server that answers clients, gossips with its peers and has its state certified. */
@NullMarked
package org.aspas.appserver;

import org.jspecify.annotations.NullMarked;
