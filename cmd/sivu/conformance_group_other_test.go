//go:build !unix

package main

import "syscall"

// ownGroup is nothing here: processes have no groups.
func ownGroup() *syscall.SysProcAttr { return nil }

func endGroup(int) {}
