/**
 * What ASPAS needs of a total order, as a port ({@link org.aspas.certify.order.TotalOrder}), so that no engine is special:
 * the BFT-SMaRt engine in {@code bftcluster} implements it over sockets, and the simulator has
 * one in virtual time. docs/adr/0007 says which other engine could.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.order;
